-- Stores steps of deliveries of one account that core has judged, with all that follows from each: its place in the queue,
-- the lists of dead and failing deliveries, its attempt, the count of its replay, the hold of its receiver.
--
-- Answers the deliveries that were stored, and the moment.
-- Locks deliveries, in the order of their ids, with SKIP LOCKED where steps skip; then what follows. A step that waits is
--   locked by its update.
-- May be missing: a delivery that others have changed since the step was judged, a probe of a receiver that another one
--   probes, and a locked delivery where steps skip.
CREATE OR REPLACE FUNCTION move_deliveries(
  p_bucket smallint, p_account_id uuid, p_skips boolean, p_part smallint,
  p_id uuid[], p_state_before text[], p_round_before integer[], p_attempts_before integer[], p_due_before timestamptz[],
  p_failing_before text[], p_state text[], p_round integer[], p_attempts integer[], p_attempted_at timestamptz[],
  p_due_at timestamptz[], p_expires_at timestamptz[], p_replay_id uuid[], p_settled_at timestamptz[], p_last_status integer[],
  p_last_error text[], p_last_cause text[], p_failing_by text[], p_first_attempt text[],
  p_origin text[], p_type text[], p_dispatcher_id uuid[], p_is_tried boolean[],
  p_number integer[], p_started_at timestamptz[], p_duration_ms integer[], p_phase text[], p_status integer[], p_error text[],
  p_cause text[], p_remote_address text[], p_exchange text[], p_response_body text[], p_is_truncated boolean[],
  p_ended_replay_id uuid[], p_openings integer[], p_held_before timestamptz[], p_held_until timestamptz[]
) RETURNS TABLE (id uuid, now float8)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now constant float8 := floor(extract(epoch FROM statement_timestamp()) * 1000);
  v_free uuid[] := p_id; v_moved uuid[]; v_ids uuid[];
  v_replay_id uuid; v_delivered integer; v_failed integer;
  v_is_one constant boolean := cardinality(p_id) = 1;
BEGIN
  -- A lone step, as most are, by the elements of the arrays: sets of one row cost half as much again.
  IF p_skips AND v_is_one THEN
    PERFORM FROM webhook_deliveries d
    WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = p_id[1] AND d.state = p_state_before[1]
      AND d.round = p_round_before[1] AND d.attempts = p_attempts_before[1]
      AND d.next_attempt_at IS NOT DISTINCT FROM p_due_before[1]
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  ELSIF p_skips THEN
    SELECT array_agg(d.id) INTO v_free
    FROM unnest(p_id, p_state_before, p_round_before, p_attempts_before, p_due_before)
      AS n (id, state_before, round_before, attempts_before, due_before)
    CROSS JOIN LATERAL (
      SELECT d.id
      FROM webhook_deliveries d
      WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = n.id AND d.state = n.state_before
        AND d.round = n.round_before AND d.attempts = n.attempts_before
        AND d.next_attempt_at IS NOT DISTINCT FROM n.due_before
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    ) AS d;
  END IF;

  -- Receivers with an open breaker are held for their probe. Of two concurrent claims, the second finds it held.
  FOR i IN 1 .. coalesce(cardinality(p_openings), 0) LOOP
    CONTINUE WHEN p_openings[i] IS NULL OR p_attempts[i] <= p_attempts_before[i] OR p_id[i] = ANY (v_free) IS NOT TRUE;
    UPDATE webhook_receivers r SET held_until = n.held_until
    FROM (SELECT p_held_until[i] AS held_until) AS n
    WHERE r.bucket = p_bucket AND r.account_id = p_account_id AND r.origin = p_origin[i]
      AND r.openings = p_openings[i] AND r.held_until IS NOT DISTINCT FROM p_held_before[i];
    IF NOT FOUND THEN
      v_free := array_remove(v_free, p_id[i]);
    END IF;
  END LOOP;

  -- Of a delivery whose state is as it was judged, nothing else has changed either: each column gets what the step says.
  IF v_is_one THEN
    IF v_free = '{}' THEN
      RETURN;
    END IF;
    -- SET names no element itself: where its array is null, Citus 13 crashes.
    UPDATE webhook_deliveries d
    SET state = n.state, round = n.round, attempts = n.attempts, attempted_at = n.attempted_at, next_attempt_at = n.due_at,
      expires_at = n.expires_at, replay_id = n.replay_id, settled_at = n.settled_at, last_status = n.last_status,
      last_error = n.last_error, last_cause = n.last_cause, first_attempt = coalesce(n.first_attempt, d.first_attempt)
    FROM (
      SELECT p_state[1] AS state, p_round[1] AS round, p_attempts[1] AS attempts, p_attempted_at[1] AS attempted_at,
        p_due_at[1] AS due_at, p_expires_at[1] AS expires_at, p_replay_id[1] AS replay_id, p_settled_at[1] AS settled_at,
        p_last_status[1] AS last_status, p_last_error[1] AS last_error, p_last_cause[1] AS last_cause,
        p_first_attempt[1]::json AS first_attempt
    ) AS n
    WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = p_id[1] AND d.state = p_state_before[1]
      AND d.round = p_round_before[1]
      AND d.attempts = p_attempts_before[1] AND d.next_attempt_at IS NOT DISTINCT FROM p_due_before[1];
    IF NOT FOUND THEN
      RETURN;
    END IF;
    v_moved := p_id;
    IF p_state_before[1] = 'pending' AND p_state[1] = 'pending' THEN
      UPDATE webhook_queue q
      SET due_at = n.due_at, is_retry = n.is_retry, dispatcher_id = n.dispatcher_id, is_tried = n.is_tried
      FROM (
        SELECT p_due_at[1] AS due_at, p_attempts[1] > 0 AS is_retry, p_dispatcher_id[1] AS dispatcher_id,
          p_is_tried[1] AS is_tried
      ) AS n
      WHERE q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = p_origin[1]
        AND q.is_retry = (p_attempts_before[1] > 0) AND q.due_at = p_due_before[1]
        AND q.delivery_id = p_id[1];
    ELSIF p_state_before[1] = 'pending' THEN
      DELETE FROM webhook_queue q
      WHERE q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = p_origin[1]
        AND q.is_retry = (p_attempts_before[1] > 0) AND q.due_at = p_due_before[1]
        AND q.delivery_id = p_id[1];
    ELSIF p_state[1] = 'pending' THEN
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
      VALUES (p_bucket, p_account_id, p_origin[1], p_attempts[1] > 0, p_due_at[1], p_id[1]);
    END IF;
    IF p_number IS NOT NULL THEN
      INSERT INTO webhook_attempts (bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange, response_body, is_truncated)
      VALUES (p_bucket, p_id[1], p_round_before[1], p_number[1], p_started_at[1], p_duration_ms[1], p_phase[1],
        p_status[1], p_error[1], p_cause[1], p_remote_address[1], p_exchange[1]::json, p_response_body[1],
        p_is_truncated[1]);
    END IF;
    IF p_failing_by IS NULL AND p_failing_before IS NOT NULL THEN
      DELETE FROM webhook_failing f
      WHERE f.bucket = p_bucket AND f.account_id = p_account_id AND f.delivery_id = p_id[1];
    ELSIF p_failing_by[1] IS DISTINCT FROM p_failing_before[1] THEN
      INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
      VALUES (p_bucket, p_account_id, p_id[1], p_failing_by[1])
      ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause;
    END IF;
    IF p_state[1] = 'dead' AND p_state_before[1] <> 'dead' THEN
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      VALUES (p_bucket, p_account_id, p_id[1], p_origin[1], p_last_cause[1], p_type[1]);
    ELSIF p_state_before[1] = 'dead' AND p_state[1] <> 'dead' THEN
      DELETE FROM webhook_dead x
      WHERE x.bucket = p_bucket AND x.account_id = p_account_id AND x.delivery_id = p_id[1];
    END IF;
  ELSE
    -- By the ids as well as by the join, here and below: otherwise a plan may walk a whole bucket that it takes for small.
    WITH steps AS MATERIALIZED (
      SELECT unnest(p_id) AS id, unnest(p_state_before) AS state_before, unnest(p_round_before) AS round_before,
        unnest(p_attempts_before) AS attempts_before, unnest(p_due_before) AS due_before,
        unnest(p_state) AS state, unnest(p_round) AS round, unnest(p_attempts) AS attempts,
        unnest(p_attempted_at) AS attempted_at, unnest(p_due_at) AS due_at, unnest(p_expires_at) AS expires_at,
        unnest(p_replay_id) AS replay_id, unnest(p_settled_at) AS settled_at, unnest(p_last_status) AS last_status,
        unnest(p_last_error) AS last_error, unnest(p_last_cause) AS last_cause, unnest(p_first_attempt) AS first_attempt
    ), moved AS (
      UPDATE webhook_deliveries d
      SET state = n.state, round = n.round, attempts = n.attempts, attempted_at = n.attempted_at, next_attempt_at = n.due_at,
        expires_at = n.expires_at, replay_id = n.replay_id, settled_at = n.settled_at, last_status = n.last_status,
        last_error = n.last_error, last_cause = n.last_cause,
        first_attempt = coalesce(n.first_attempt::json, d.first_attempt)
      FROM steps n
      WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = ANY (v_free) AND d.id = n.id
        AND d.state = n.state_before AND d.round = n.round_before AND d.attempts = n.attempts_before
        AND d.next_attempt_at IS NOT DISTINCT FROM n.due_before
      RETURNING d.id
    )
    SELECT array_agg(m.id) INTO v_moved FROM moved m;
    IF v_moved IS NULL THEN
      RETURN;
    END IF;

    -- What waits on gets another due time, and another dispatcher,
    IF 'pending' = ANY (p_state) THEN
      WITH steps AS MATERIALIZED (
        SELECT n.*, n.attempts_before > 0 AS was_retry, n.attempts > 0 AS is_retry
        FROM (
          SELECT unnest(p_id) AS id, unnest(p_origin) AS origin, unnest(p_attempts_before) AS attempts_before,
            unnest(p_due_before) AS due_before, unnest(p_due_at) AS due_at, unnest(p_attempts) AS attempts,
            unnest(p_state) AS state, unnest(p_dispatcher_id) AS dispatcher_id, unnest(p_is_tried) AS is_tried
        ) AS n
      )
      UPDATE webhook_queue q
      SET due_at = n.due_at, is_retry = n.is_retry, dispatcher_id = n.dispatcher_id, is_tried = n.is_tried
      FROM steps n
      WHERE n.state = 'pending' AND q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = ANY (p_origin)
        AND q.is_retry = ANY ('{f,t}') AND q.due_at = ANY (p_due_before) AND q.delivery_id = ANY (v_moved)
        AND q.origin = n.origin AND q.is_retry = n.was_retry AND q.due_at = n.due_before AND q.delivery_id = n.id;
    END IF;
    -- and what is settled leaves the queue.
    IF 'pending' <> ANY (p_state) THEN
      WITH steps AS MATERIALIZED (
        SELECT n.*, n.attempts_before > 0 AS was_retry
        FROM (
          SELECT unnest(p_id) AS id, unnest(p_origin) AS origin, unnest(p_attempts_before) AS attempts_before,
            unnest(p_due_before) AS due_before, unnest(p_state) AS state
        ) AS n
      )
      DELETE FROM webhook_queue q
      USING steps n
      WHERE n.state <> 'pending' AND q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = ANY (p_origin)
        AND q.is_retry = ANY ('{f,t}') AND q.due_at = ANY (p_due_before) AND q.delivery_id = ANY (v_moved)
        AND q.origin = n.origin AND q.is_retry = n.was_retry AND q.due_at = n.due_before AND q.delivery_id = n.id;
    END IF;
    IF 'pending' <> ANY (p_state_before) THEN
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
      SELECT p_bucket, p_account_id, n.origin, n.attempts > 0, n.due_at, n.id
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_origin) AS origin, unnest(p_attempts) AS attempts, unnest(p_due_at) AS due_at,
          unnest(p_state_before) AS state_before, unnest(p_state) AS state
      ) AS n
      WHERE n.state_before <> 'pending' AND n.state = 'pending' AND n.id = ANY (v_moved);
    END IF;

    -- An attempt that delivered at once is kept in the row of its delivery instead.
    IF p_number IS NOT NULL THEN
      INSERT INTO webhook_attempts (bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange, response_body, is_truncated)
      SELECT p_bucket, n.id, n.round, n.number, n.started_at, n.duration_ms, n.phase, n.status, n.error, n.cause,
        n.remote_address, n.exchange::json, n.response_body, n.is_truncated
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_round_before) AS round, unnest(p_number) AS number,
          unnest(p_started_at) AS started_at, unnest(p_duration_ms) AS duration_ms, unnest(p_phase) AS phase,
          unnest(p_status) AS status, unnest(p_error) AS error, unnest(p_cause) AS cause,
          unnest(p_remote_address) AS remote_address, unnest(p_exchange) AS exchange,
          unnest(p_response_body) AS response_body, unnest(p_is_truncated) AS is_truncated
      ) AS n
      WHERE n.number IS NOT NULL AND n.id = ANY (v_moved);
    END IF;

    -- Deliveries to be retried are listed as failing.
    IF p_failing_by IS NOT NULL THEN
      INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
      SELECT p_bucket, p_account_id, n.id, n.cause
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_failing_before) AS cause_before, unnest(p_failing_by) AS cause
      ) AS n
      WHERE n.cause IS DISTINCT FROM n.cause_before AND n.cause IS NOT NULL AND n.id = ANY (v_moved)
      ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause;
    END IF;

    IF p_failing_before IS NOT NULL THEN
      SELECT array_agg(n.id) INTO v_ids
      FROM (SELECT unnest(p_id) AS id, unnest(p_failing_before) AS cause_before, unnest(p_failing_by) AS cause) AS n
      WHERE n.cause_before IS NOT NULL AND n.cause IS NULL AND n.id = ANY (v_moved);
      DELETE FROM webhook_failing f
      WHERE f.bucket = p_bucket AND f.account_id = p_account_id AND f.delivery_id = ANY (v_ids);
    END IF;

    -- Dead deliveries are listed, and no longer when they have another round.
    IF 'dead' = ANY (p_state) THEN
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      SELECT p_bucket, p_account_id, n.id, n.origin, n.cause, n.type
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_origin) AS origin, unnest(p_last_cause) AS cause, unnest(p_type) AS type,
          unnest(p_state_before) AS state_before, unnest(p_state) AS state
      ) AS n
      WHERE n.state = 'dead' AND n.state_before <> 'dead' AND n.id = ANY (v_moved);
    END IF;
    IF 'dead' = ANY (p_state_before) THEN
      SELECT array_agg(n.id) INTO v_ids
      FROM (SELECT unnest(p_id) AS id, unnest(p_state_before) AS state_before, unnest(p_state) AS state) AS n
      WHERE n.state_before = 'dead' AND n.state <> 'dead' AND n.id = ANY (v_moved);
      DELETE FROM webhook_dead x
      WHERE x.bucket = p_bucket AND x.account_id = p_account_id AND x.delivery_id = ANY (v_ids);
    END IF;
  END IF;

  -- A receiver that was held for a probe that ends here may be probed again.
  FOR i IN 1 .. coalesce(cardinality(p_openings), 0) LOOP
    CONTINUE WHEN p_openings[i] IS NULL OR p_attempts[i] > p_attempts_before[i] OR p_id[i] <> ALL (v_moved);
    UPDATE webhook_receivers r SET held_until = n.held_until
    FROM (SELECT p_held_until[i] AS held_until) AS n
    WHERE r.bucket = p_bucket AND r.account_id = p_account_id AND r.origin = p_origin[i]
      AND r.openings = p_openings[i] AND r.held_until IS NOT DISTINCT FROM p_held_before[i];
  END LOOP;

  -- Replay jobs count the deliveries that they started and that were settled.
  IF p_ended_replay_id IS NOT NULL THEN
    FOR v_replay_id, v_delivered, v_failed IN
      SELECT n.replay_id, count(*) FILTER (WHERE n.state = 'delivered'), count(*) FILTER (WHERE n.state = 'dead')
      FROM (SELECT unnest(p_id) AS id, unnest(p_ended_replay_id) AS replay_id, unnest(p_state) AS state) AS n
      WHERE n.replay_id IS NOT NULL AND n.id = ANY (v_moved)
      GROUP BY n.replay_id
      ORDER BY n.replay_id
    LOOP
      INSERT INTO webhook_replay_outcomes AS o (bucket, account_id, replay_id, part, delivered, failed)
      VALUES (p_bucket, p_account_id, v_replay_id, p_part, v_delivered, v_failed)
      ON CONFLICT (bucket, account_id, replay_id, part) DO UPDATE
        SET delivered = o.delivered + excluded.delivered, failed = o.failed + excluded.failed;
    END LOOP;
  END IF;

  now := v_now;
  FOREACH id IN ARRAY v_moved LOOP
    RETURN NEXT;
  END LOOP;
END $$;
