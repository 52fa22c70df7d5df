import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { families } from '../families.ts'
import { aligned, print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag } from '../words.ts'

interface Flags {
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const list = buildCommand<Flags, [], Context>({
  docs: { brief: 'The tasks, their presets, styles and baselines' },
  parameters: { flags: { json: jsonFlag, plugin: pluginFlag } },
  async func(flags) {
    const { loadTasks } = await import('../../lab/plugins.ts')
    const tasks = await loadTasks(flags.plugin)
    const described = tasks.map((task) => ({
      name: task.name,
      version: task.version,
      summary: task.summary,
      styles: task.styles,
      presets: Object.entries(task.presets).map(([name, preset]) => ({
        name,
        aliases: preset.aliases ?? [],
        summary: preset.summary,
        // The size is arithmetic over config and plan; a plan may take seconds, so it is asked for with `show` instead.
        size:
          task.plan === undefined
            ? task.source(task.preset(name).config, { split: 'test', seed: '1' }).layout.size
            : null,
      })),
      baselines: Object.keys(task.baselines ?? {}),
    }))
    if (flags.json) return printJson(this, { schema: 'touchstone/list/1', tasks: described })
    for (const task of described) {
      print(this, `${task.name} (version ${task.version})`, `  ${task.summary}`, '  presets')
      const rows = task.presets.map((preset) => [
        `    ${preset.name}`,
        `${preset.summary}${preset.aliases.length > 0 ? ` (also ${preset.aliases.join(', ')})` : ''}`,
      ])
      print(this, ...aligned(rows))
      print(
        this,
        `  styles     ${task.styles.join(', ')}`,
        `  baselines  ${families(task.baselines).join(', ') || 'none of its own'}`,
        '',
      )
    }
  },
})
