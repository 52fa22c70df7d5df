import { z } from 'zod'

/** How manifest.json and run.json identify a plugin: without paths, so that they are the same on every machine. */
export const pluginRecords = z.array(
  z.strictObject({
    /** File name or npm package name. */
    name: z.string().min(1).max(214),
    /** Version of the npm package; null for a file. */
    version: z.string().max(256).nullable(),
    /** Over its files: paths relative to the entry, and bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
)

export type PluginRecord = Readonly<z.infer<typeof pluginRecords>[number]>
