import type { JsonObject } from '../../core/index.ts'
import type { Redaction } from '../../store/recorder.ts'
import type { BatchEvent } from '../../store/run-store.ts'
import { asJson } from './events.ts'

/** Error code of a batch whose calls another worker has by now. */
export const NOT_HELD = 'TS002'

/** Batch events as one statement each, which can be repeated. False: another worker has the batch lease by now. */
export const BATCH_FUNCTIONS = `
  CREATE FUNCTION book_batch(e JSONB, who TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $batch$
    DECLARE
      k TEXT := e->>'key';
      at BIGINT := (e->>'at')::bigint;
      calls BIGINT[];
      tries BIGINT[];
      mosts FLOAT8[];
      taken BIGINT;
    BEGIN
      -- No other worker gets the batch lease before this is written.
      PERFORM 1 FROM keeper WHERE owner = who
        AND model = COALESCE(e->>'model', (SELECT model FROM batch WHERE key = k)) FOR UPDATE;
      IF NOT FOUND THEN RETURN FALSE; END IF;
      CASE e->>'kind'
        WHEN 'intended' THEN
          SELECT array_agg((v->>0)::bigint ORDER BY n), array_agg((v->>1)::bigint ORDER BY n), array_agg((v->>2)::float8 ORDER BY n)
            INTO calls, tries, mosts FROM jsonb_array_elements(e->'lines') WITH ORDINALITY AS l (v, n);
          INSERT INTO batch (key, model, lines, state, intended, submitted_at)
            VALUES (k, e->>'model', cardinality(calls), 'open', at, at) ON CONFLICT (key) DO NOTHING;
          IF NOT FOUND THEN RETURN TRUE; END IF;
          INSERT INTO attempt (call, attempt_no, started, status, max_usd)
            SELECT u.call, u.attempt_no, at, 'open', u.max_usd FROM unnest(calls, tries, mosts) AS u (call, attempt_no, max_usd)
            ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, max_usd = excluded.max_usd WHERE attempt.status = 'open';
          INSERT INTO batch_line (batch, line_no, call, attempt)
            SELECT k, u.place - 1, u.call, u.attempt_no FROM unnest(calls, tries) WITH ORDINALITY AS u (call, attempt_no, place);
          UPDATE call SET state = 'batched', owner = k, lease_until = NULL
            WHERE id = ANY (calls) AND state = 'leased' AND owner = who;
          GET DIAGNOSTICS taken = ROW_COUNT;
          IF taken <> cardinality(calls) THEN RAISE EXCEPTION 'held by others' USING ERRCODE = '${NOT_HELD}'; END IF;
        WHEN 'resubmitted' THEN
          UPDATE batch SET submitted_at = at WHERE key = k;
        WHEN 'accepted' THEN
          UPDATE batch SET provider_id = e->>'providerId', accepted_at = at WHERE key = k;
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
      return { ...event, lines: event.lines.map(({ call, attempt, maxUsd }) => [call, attempt, maxUsd]) }
    case 'over':
      return { ...event, status: asJson(shapes(event.status)) }
    default:
      return { ...event }
  }
}

/**
 * What workers do many times per second, as functions of the database: one statement and one round trip for many events, so
 * that a lost connection leaves all of it done or nothing. Each can be repeated.
 */
export const FUNCTIONS = `
  CREATE FUNCTION end_attempt(e JSONB) RETURNS VOID LANGUAGE plpgsql AS $end$
    BEGIN
      INSERT INTO attempt (call, attempt_no, started, ended, status, http, error_source, code, message, usage, request_id, usd)
      VALUES ((e->>'call')::bigint, (e->>'attempt')::bigint, (e->>'started')::bigint, (e->>'ended')::bigint, e->>'status',
        (e->>'http')::bigint, e->>'source', e->>'code', e->>'message', e->>'usage', e->>'requestId', (e->>'usd')::float8)
      ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, ended = excluded.ended, status = excluded.status,
        http = excluded.http, error_source = excluded.error_source, code = excluded.code, message = excluded.message,
        usage = excluded.usage, request_id = excluded.request_id, usd = excluded.usd;
    END $end$;
  CREATE FUNCTION keep_score(e JSONB) RETURNS VOID LANGUAGE sql AS $score$
    INSERT INTO score (call, scorer, outcome) VALUES ((e->>'call')::bigint, (e->>'scorer')::bigint, e->>'outcome')
    ON CONFLICT (call, scorer) DO UPDATE SET outcome = excluded.outcome
  $score$;
  -- As linkHash of chain.ts makes it, to the byte.
  CREATE FUNCTION next_link(before TEXT, e JSONB) RETURNS TEXT LANGUAGE sql AS $link$
    SELECT encode(sha256(convert_to('[' || concat_ws(',', to_json(COALESCE(before, '')), to_json(item), to_json(style),
      to_json(model), to_json(settings), sample, e->>'attempt', to_json(e->>'responseHash'),
      COALESCE(to_json(e->>'rawHash')::text, 'null')) || ']', 'UTF8')), 'hex')
    FROM call WHERE id = (e->>'call')::bigint
  $link$;
  CREATE FUNCTION record(events JSONB) RETURNS VOID LANGUAGE plpgsql AS $record$
    DECLARE
      e JSONB;
      c BIGINT;
      n BIGINT;
      links_now BIGINT;
      head_now TEXT;
    BEGIN
      -- There is one chain: recording responses waits for its lock, which is taken first of all, so that there is no deadlock.
      IF events @> '[{"kind": "response"}]' THEN
        SELECT links, head INTO links_now, head_now FROM chain FOR UPDATE;
      END IF;
      FOR e IN SELECT value FROM jsonb_array_elements(events) LOOP
        c := (e->>'call')::bigint;
        n := (e->>'attempt')::bigint;
        CASE e->>'kind'
          WHEN 'attempt' THEN
            INSERT INTO attempt (call, attempt_no, started, status, max_usd)
            VALUES (c, n, (e->>'started')::bigint, 'open', (e->>'maxUsd')::float8)
            -- A reservation of another worker under the same number stays.
            ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, max_usd = COALESCE(excluded.max_usd, attempt.max_usd)
            WHERE attempt.status = 'open';
          WHEN 'response' THEN
            PERFORM end_attempt(e);
            -- Only the first response gets a link and a score.
            IF NOT EXISTS (SELECT 1 FROM response WHERE call = c) THEN
              links_now := links_now + 1;
              head_now := next_link(head_now, e);
              INSERT INTO response (call, attempt, finish, text, reasoning, logprobs, usage, raw, seq, hash)
              VALUES (c, n, e->>'finish', e->>'text', e->>'reasoning', e->>'logprobs', e->>'usage', e->>'raw', links_now, head_now);
              IF e ? 'outcome' THEN PERFORM keep_score(e); END IF;
            END IF;
            UPDATE call SET state = 'done', owner = NULL, lease_until = NULL WHERE id = c;
          WHEN 'failure' THEN
            PERFORM end_attempt(e);
            IF e ? 'packed' THEN
              INSERT INTO raw_body (call, attempt, size, packed) VALUES (c, n, (e->>'size')::bigint, decode(e->>'packed', 'base64'))
              ON CONFLICT (call, attempt) DO NOTHING;
            END IF;
            IF (e->>'final')::boolean THEN
              UPDATE call SET state = 'failed', owner = NULL, lease_until = NULL WHERE id = c AND state <> 'done';
            END IF;
          WHEN 'release' THEN
            UPDATE attempt SET status = 'cancelled', usd = CASE WHEN (e->>'sent')::boolean THEN NULL ELSE 0 END
            WHERE call = c AND attempt_no = n AND status = 'open';
            -- A worker that comes back late does not release calls that others hold.
            UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = c AND state IN ('leased', 'batched')
              AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.call = c AND attempt_no > n);
          WHEN 'score' THEN
            PERFORM keep_score(e);
        END CASE;
      END LOOP;
      UPDATE chain SET links = links_now, head = head_now WHERE links <> links_now;
    END $record$;
  -- held: calls that the worker has; its other leases were made while its connection was lost. NULL: it was not lost.
  CREATE FUNCTION take_calls(wanted INT, who TEXT, ms BIGINT, of_model TEXT, held BIGINT[])
    RETURNS TABLE (taken BIGINT, try BIGINT) LANGUAGE plpgsql AS $take$
    DECLARE
      present BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
      ids BIGINT[];
    BEGIN
      -- A pull waits for this, and later leases get nothing.
      PERFORM 1 FROM meta WHERE key = 'asked' FOR SHARE;
      IF NOT FOUND THEN RETURN; END IF;
      IF held IS NOT NULL THEN
        UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL
        WHERE owner = who AND state = 'leased' AND NOT (id = ANY (held));
      END IF;
      UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id IN (
        SELECT id FROM call WHERE state = 'leased' AND lease_until < present AND owner <> who FOR UPDATE SKIP LOCKED);
      WITH free AS MATERIALIZED (
        SELECT id FROM call WHERE state = 'waiting' AND model = of_model ORDER BY priority, id LIMIT wanted FOR UPDATE SKIP LOCKED
      ), mine AS (
        UPDATE call SET state = 'leased', owner = who, lease_until = present + ms FROM free WHERE call.id = free.id
        RETURNING call.id
      ) SELECT array_agg(id) INTO ids FROM mine;
      RETURN QUERY INSERT INTO attempt (call, attempt_no, started, status)
        SELECT u.id, COALESCE((SELECT MAX(attempt_no) FROM attempt a WHERE a.call = u.id), 0) + 1, present, 'open'
        FROM unnest(ids) AS u (id) RETURNING attempt.call, attempt.attempt_no;
    END $take$;
  -- What live workers hold; if it is nothing, nothing is leased any more.
  CREATE FUNCTION close_run(OUT calls BIGINT, OUT models TEXT[]) LANGUAGE plpgsql AS $close$
    DECLARE
      present BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    BEGIN
      PERFORM 1 FROM meta WHERE key = 'asked' FOR UPDATE;
      SELECT COUNT(*) INTO calls FROM call WHERE state = 'leased' AND lease_until >= present;
      models := ARRAY(SELECT model FROM keeper WHERE lease_until >= present ORDER BY model);
      IF calls > 0 OR cardinality(models) > 0 THEN RETURN; END IF;
      DELETE FROM meta WHERE key = 'asked';
      -- A worker that stood still finds that it holds nothing any more.
      DELETE FROM keeper;
      UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased';
    END $close$;
`
