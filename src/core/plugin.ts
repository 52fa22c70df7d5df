import { z } from 'zod'

/** How manifest.json and run.json name a plugin: never by a place, so that they say the same on every machine. */
export const pluginRecords = z.array(
  z.strictObject({
    /** Of the file, or of the npm package. */
    name: z.string().min(1).max(214),
    /** Of the npm package; null of a file. */
    version: z.string().max(256).nullable(),
    /** Of its files: of their paths from the entry and of their bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
)

export type PluginRecord = Readonly<z.infer<typeof pluginRecords>[number]>
