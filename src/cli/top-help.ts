/** `touchstone --help`, which loads nothing else. */
export const topHelp = `Usage: touchstone COMMAND [OPTIONS]

Generate reasoning benchmarks, run models on them and compare the results.

Quick start:
  touchstone list relic/recognize
  touchstone run relic/recognize --preset relic-demo --model baseline:cyk
  touchstone view runs

Benchmarks
  list        Families, tasks, presets, parameters, prices
  show        An item of a task; the state or the responses of a run
  generate    Write a dataset with proofs and a hash
  verify      Regenerate a dataset or run and check that it is equal
  audit       Search a dataset for shortcuts
Runs
  run         Run models on a task, dataset, experiment or your questions
  resume      Continue a run; retry errors, cancel batches, repair
  report      Write tables and figures (HTML, Markdown, JSON, CSV, SVG, PNG)
  compare     Compare two models or runs on the same items
  view        Explore runs and datasets in the browser
  reproduce   Make a table or figure of one of the papers
Exchange
  import      Read published releases and files of other tools
  export      Write prompts, rows or files for other tools
  serve       Serve items and rewards over HTTP for RL training
Groups: task, exam, cluster, analyze  (touchstone GROUP --help)
Options of a command: touchstone COMMAND --help (common), --help-all (all)
`
