import { useState } from 'preact/hooks'
import { figure as figureSchema, type ShownTable, table as tableSchema } from '../../../api/index.ts'
import { FigureView } from '../../parts/figure.tsx'
import { formatInteger, formatNumber, formatValue, intervalWords, plural, visible } from '../../parts/format.ts'
import { Grid } from '../../parts/grid.tsx'
import { Interval } from '../../parts/interval.tsx'
import { Probes } from '../../parts/probes.tsx'
import { Empty, Working } from '../../parts/state.tsx'
import { askTasks } from '../../tasks/ask.ts'
import type { Audited } from '../../tasks/audit.ts'
import type { Kind } from './playground.tsx'

const COUNTS = [100, 300, 1000] as const

/** Audits fresh items on request, with the code of the command line. */
export function PlaygroundAudit(kind: Kind) {
  const [count, setCount] = useState<number | null>(null)
  return (
    <section>
      <h2>Shortcuts, balance and size</h2>
      <p class="controls">
        Generate and audit{' '}
        {COUNTS.map((one) => (
          <button key={one} type="button" onClick={() => setCount(one)}>
            {formatInteger(one)} items
          </button>
        ))}
      </p>
      {count === null ? (
        <p class="note">
          The probes of the command “audit”, run here: can the answer be guessed from words, lengths, order, or from a
          few statements at a time?
        </p>
      ) : (
        <Working
          key={count}
          work={() => askTasks({ ...kind, kind: 'audit', split: 'playground', count })}
          waiting={`${formatInteger(count)} items are being made and audited in this browser …`}
          next="Set a parameter back, or audit fewer items."
        >
          {(audited) => <Found {...audited} />}
        </Working>
      )}
    </section>
  )
}

const VERDICTS: { readonly [status in Audited['audit']['status']]: string } = {
  'nothing-found': '✓ Nothing found; every probe had the power to detect a gain of its own kind of the requested size.',
  declared: '! A declared shortcut earns more than chance.',
  inconclusive: '? Inconclusive: nothing found, but there are too few items.',
  fail: '✗ A shortcut was found, or a count differs from the design.',
  'not-testable': '? Not testable: most items lie in uninformative blocks.',
}

/** Most probes shown, largest gain first. */
const PROBES = 12

function Found({ audit, items, empty, profile, answers, others, sizes }: Audited) {
  const { itemsNeeded: needs, underpowered, probes, gain } = audit.power
  return (
    <>
      <p
        class={`seal ${audit.status === 'nothing-found' ? 'good' : audit.status === 'fail' ? 'bad' : 'unknown'}`}
        role="status"
      >
        {VERDICTS[audit.status]} {plural(items, 'item')}
        {empty === 0 ? '' : `, ${plural(empty, 'empty index', 'empty indices')}`}.
        {needs === null || audit.status === 'fail'
          ? ''
          : ` ${formatInteger(underpowered)} of ${plural(probes, 'probe')} are underpowered for a gain of ${gain}; about ${formatInteger(needs)} items are needed.`}
      </p>
      <Probes tests={audit.tests} most={PROBES} />
      <h3>Locality: accuracy of learners that see a few statements</h3>
      <Profile {...profile} />
      <h3>Balance</h3>
      <Grid
        label="Answers"
        bare
        caption={`Answers and their shares of these items, with 95 % intervals${others === 0 ? '' : `; ${plural(others, 'other answer')} not shown`}`}
        rows={answers}
        keyOf={({ answer }) => answer}
        columns={({ rowHead, text }) => [
          rowHead('', ({ answer }) => formatValue(answer, 40)),
          text('', ({ answer, share }) => <Interval estimate={share} label={formatValue(answer, 40)} />),
        ]}
      />
      <h3>Size and difficulty</h3>
      <Grid
        label="Size and difficulty"
        bare
        caption="Means with 95 % intervals, n, and the range; tokens are estimates"
        rows={sizes}
        keyOf={({ what }) => what}
        columns={({ numeric, rowHead }) => [
          rowHead('', ({ what }) => what),
          numeric('', ({ mean }) => intervalWords(mean, formatNumber)),
          numeric('', ({ least, most }) => `${formatNumber(least)} to ${formatNumber(most)}`),
        ]}
      />
      {audit.checks.map(({ name, status, checked, message }) => (
        <p key={name} class="note">
          {status === 'fail' ? '✗' : checked === 0 ? '–' : '✓'} {visible(name)}: {visible(message)}
        </p>
      ))}
    </>
  )
}

function Profile(profile: Audited['profile']) {
  const tables: readonly ShownTable[] = profile.tables.flatMap((one) => tableSchema.safeParse(one).data ?? [])
  const figures = (profile.figures ?? []).flatMap((one) => figureSchema.safeParse(one).data ?? [])
  if (tables.every(({ rows }) => rows.length === 0))
    return (
      <Empty>
        No locality profile: it needs closed answers and at least 200 items, 50 per proof radius. Audit more of them.
      </Empty>
    )
  return (
    <>
      {figures.map((one) => (
        <FigureView key={one.id} figure={one} tables={tables} />
      ))}
    </>
  )
}
