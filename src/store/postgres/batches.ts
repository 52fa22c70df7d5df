import type { JsonObject } from '../../core/index.ts'
import type { Redaction } from '../recorder.ts'
import type { BatchEvent } from '../run-store.ts'
import { asJson } from './events.ts'

/** Of a batch whose cells are another worker's by now. */
export const NOT_HELD = 'TS002'

/** What happens to batches and their lines, as one statement each; doing it twice is doing it once. False: another worker looks after them by now. */
export const BATCH_FUNCTIONS = `
  CREATE FUNCTION book_batch(e JSONB, who TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $batch$
    DECLARE
      k TEXT := e->>'key';
      at BIGINT := (e->>'at')::bigint;
      cells BIGINT[];
      tries BIGINT[];
      mosts FLOAT8[];
      taken BIGINT;
    BEGIN
      -- Nobody takes them over before this is written.
      PERFORM 1 FROM keeper WHERE owner = who
        AND model = COALESCE(e->>'model', (SELECT model FROM batch WHERE key = k)) FOR UPDATE;
      IF NOT FOUND THEN RETURN FALSE; END IF;
      CASE e->>'kind'
        WHEN 'intended' THEN
          SELECT array_agg((v->>0)::bigint ORDER BY n), array_agg((v->>1)::bigint ORDER BY n), array_agg((v->>2)::float8 ORDER BY n)
            INTO cells, tries, mosts FROM jsonb_array_elements(e->'lines') WITH ORDINALITY AS l (v, n);
          INSERT INTO batch (key, model, lines, state, intended, tried)
            VALUES (k, e->>'model', cardinality(cells), 'open', at, at) ON CONFLICT (key) DO NOTHING;
          IF NOT FOUND THEN RETURN TRUE; END IF;
          INSERT INTO attempt (cell, no, started, status, most)
            SELECT u.cell, u.no, at, 'open', u.most FROM unnest(cells, tries, mosts) AS u (cell, no, most)
            ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most WHERE attempt.status = 'open';
          INSERT INTO line (batch, no, cell, attempt)
            SELECT k, u.place - 1, u.cell, u.no FROM unnest(cells, tries) WITH ORDINALITY AS u (cell, no, place);
          UPDATE cell SET state = 'batched', owner = k, lease_until = NULL
            WHERE id = ANY (cells) AND state = 'leased' AND owner = who;
          GET DIAGNOSTICS taken = ROW_COUNT;
          IF taken <> cardinality(cells) THEN RAISE EXCEPTION 'held by others' USING ERRCODE = '${NOT_HELD}'; END IF;
        WHEN 'tried' THEN
          UPDATE batch SET tried = at WHERE key = k;
        WHEN 'submitted' THEN
          UPDATE batch SET remote = e->>'remote', submitted = at WHERE key = k;
        WHEN 'over' THEN
          UPDATE batch SET state = 'over', status = e->>'status', ended = at WHERE key = k;
      END CASE;
      RETURN TRUE;
    END $batch$;
  CREATE FUNCTION record_held(events JSONB, of_model TEXT, who TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $held$
    BEGIN
      PERFORM 1 FROM keeper WHERE model = of_model AND owner = who FOR UPDATE;
      IF NOT FOUND THEN RETURN FALSE; END IF;
      PERFORM record(events);
      RETURN TRUE;
    END $held$;
`

/** An event as the function `book_batch` of the database takes it. */
export function bookable(event: BatchEvent, { shapes }: Redaction): JsonObject {
  switch (event.kind) {
    case 'intended':
      return { ...event, lines: event.lines.map(({ cell, attempt, most }) => [cell, attempt, most]) }
    case 'over':
      return { ...event, status: asJson(shapes(event.status)) }
    default:
      return { ...event }
  }
}
