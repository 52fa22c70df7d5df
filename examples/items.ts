/** Items, prompts and grades without files or a command line. */
import { families } from '@touchstone-eval/touchstone/tasks'

for (const task of families.flatMap((family) => family.tasks)) {
  const preset = Object.keys(task.presets).at(-1)
  if (preset === undefined) continue
  const source = task.source(task.preset(preset).config, { split: 'train', seed: 7 })
  const item = source.item(0)
  if (item.kind === 'hole') continue
  const request = source.request(item, task.styles[0])
  const asked =
    request.kind === 'chat' ? request.messages.map((message) => message.content).join('\n') : request.context
  const gold = task.gold?.({ shared: item.shared, given: item.given, answer: item.answer })
  console.log(`${item.id}: ${asked.length} characters, answered by ${JSON.stringify(gold?.slice(0, 60))}`)
}
