-- Stores steps of deliveries of one account that core has judged, with all that follows from each: its place in the queue,
-- the lists of dead and failing deliveries, its attempt, the count of its replay, the hold of its receiver.
--
-- Answers the deliveries that were stored, and the moment.
-- Locks deliveries in the order in which they are given; where steps skip, all at once and with SKIP LOCKED. Then what follows.
-- May be missing: a delivery that others have changed since the step was judged, a probe of a receiver that another one
--   probes, and a locked delivery where steps skip.
--
-- One by one, each statement by its whole key: no plan can walk a queue or a bucket, whatever the statistics said when it was made.
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
  v_free uuid[];
  v_ended_replays uuid[]; v_outcomes text[];
  v_replay_id uuid; v_delivered integer; v_failed integer;
  s_id uuid; s_state_before text; s_round_before integer; s_attempts_before integer; s_due_before timestamptz(3);
  s_failing_before text; s_state text; s_round integer; s_attempts integer; s_attempted_at timestamptz(3);
  s_due_at timestamptz(3); s_expires_at timestamptz(3); s_replay_id uuid; s_settled_at timestamptz(3); s_last_status integer;
  s_last_error text; s_last_cause text; s_failing_by text; s_first_attempt json;
  s_origin text; s_type text; s_dispatcher_id uuid; s_is_tried boolean; s_was_retry boolean; s_is_retry boolean;
  s_number integer; s_started_at timestamptz(3); s_duration_ms integer; s_phase text; s_status integer; s_error text;
  s_cause text; s_remote_address text; s_exchange json; s_response_body text; s_is_truncated boolean;
  s_openings integer; s_held_before timestamptz(3); s_held_until timestamptz(3);
BEGIN
  IF p_skips THEN
    SELECT coalesce(array_agg(d.id), '{}') INTO v_free
    FROM (
      SELECT d.id
      FROM webhook_deliveries d
      WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = ANY (p_id)
      ORDER BY d.id
      FOR UPDATE SKIP LOCKED
    ) AS d;
  END IF;

  FOR i IN 1 .. cardinality(p_id) LOOP
    s_id := p_id[i];
    CONTINUE WHEN p_skips AND s_id <> ALL (v_free);
    s_state_before := p_state_before[i]; s_round_before := p_round_before[i]; s_attempts_before := p_attempts_before[i];
    s_due_before := p_due_before[i]; s_state := p_state[i]; s_round := p_round[i]; s_attempts := p_attempts[i];
    s_attempted_at := p_attempted_at[i]; s_due_at := p_due_at[i]; s_expires_at := p_expires_at[i];
    s_replay_id := p_replay_id[i]; s_settled_at := p_settled_at[i]; s_last_status := p_last_status[i];
    s_last_error := p_last_error[i]; s_last_cause := p_last_cause[i]; s_first_attempt := p_first_attempt[i];
    s_origin := p_origin[i]; s_was_retry := s_attempts_before > 0; s_is_retry := s_attempts > 0;
    s_openings := p_openings[i]; s_held_before := p_held_before[i]; s_held_until := p_held_until[i];

    -- A receiver with an open breaker is held for its probe. Of two concurrent claims, the second finds it held.
    IF s_openings IS NOT NULL AND s_attempts > s_attempts_before THEN
      UPDATE webhook_receivers r SET held_until = s_held_until
      WHERE r.bucket = p_bucket AND r.account_id = p_account_id AND r.origin = s_origin
        AND r.openings = s_openings AND r.held_until IS NOT DISTINCT FROM s_held_before;
      CONTINUE WHEN NOT FOUND;
    END IF;

    -- Of a delivery whose state is as it was judged, nothing else has changed either: each column gets what the step says.
    UPDATE webhook_deliveries d
    SET state = s_state, round = s_round, attempts = s_attempts, attempted_at = s_attempted_at, next_attempt_at = s_due_at,
      expires_at = s_expires_at, replay_id = s_replay_id, settled_at = s_settled_at, last_status = s_last_status,
      last_error = s_last_error, last_cause = s_last_cause, first_attempt = coalesce(s_first_attempt, d.first_attempt)
    WHERE d.bucket = p_bucket AND d.account_id = p_account_id AND d.id = s_id AND d.state = s_state_before
      AND d.round = s_round_before AND d.attempts = s_attempts_before AND d.next_attempt_at IS NOT DISTINCT FROM s_due_before;
    CONTINUE WHEN NOT FOUND;

    IF s_state_before = 'pending' AND s_state = 'pending' THEN
      s_dispatcher_id := p_dispatcher_id[i]; s_is_tried := p_is_tried[i];
      UPDATE webhook_queue q
      SET due_at = s_due_at, is_retry = s_is_retry, dispatcher_id = s_dispatcher_id, is_tried = s_is_tried
      WHERE q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = s_origin AND q.is_retry = s_was_retry
        AND q.due_at = s_due_before AND q.delivery_id = s_id;
    ELSIF s_state_before = 'pending' THEN
      DELETE FROM webhook_queue q
      WHERE q.bucket = p_bucket AND q.account_id = p_account_id AND q.origin = s_origin AND q.is_retry = s_was_retry
        AND q.due_at = s_due_before AND q.delivery_id = s_id;
    ELSIF s_state = 'pending' THEN
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
      VALUES (p_bucket, p_account_id, s_origin, s_is_retry, s_due_at, s_id);
    END IF;

    s_number := p_number[i];
    IF s_number IS NOT NULL THEN
      s_started_at := p_started_at[i]; s_duration_ms := p_duration_ms[i]; s_phase := p_phase[i]; s_status := p_status[i];
      s_error := p_error[i]; s_cause := p_cause[i]; s_remote_address := p_remote_address[i]; s_exchange := p_exchange[i];
      s_response_body := p_response_body[i]; s_is_truncated := p_is_truncated[i];
      INSERT INTO webhook_attempts (bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange, response_body, is_truncated)
      VALUES (p_bucket, s_id, s_round_before, s_number, s_started_at, s_duration_ms, s_phase, s_status, s_error, s_cause,
        s_remote_address, s_exchange, s_response_body, s_is_truncated);
    END IF;

    s_failing_before := p_failing_before[i]; s_failing_by := p_failing_by[i];
    IF s_failing_by IS NULL AND s_failing_before IS NOT NULL THEN
      DELETE FROM webhook_failing f
      WHERE f.bucket = p_bucket AND f.account_id = p_account_id AND f.delivery_id = s_id;
    ELSIF s_failing_by IS DISTINCT FROM s_failing_before THEN
      INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
      VALUES (p_bucket, p_account_id, s_id, s_failing_by)
      ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause;
    END IF;

    IF s_state = 'dead' AND s_state_before <> 'dead' THEN
      s_type := p_type[i];
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      VALUES (p_bucket, p_account_id, s_id, s_origin, s_last_cause, s_type);
    ELSIF s_state <> 'dead' AND s_state_before = 'dead' THEN
      DELETE FROM webhook_dead x
      WHERE x.bucket = p_bucket AND x.account_id = p_account_id AND x.delivery_id = s_id;
    END IF;

    IF p_ended_replay_id[i] IS NOT NULL THEN
      v_ended_replays := v_ended_replays || p_ended_replay_id[i];
      v_outcomes := v_outcomes || s_state;
    END IF;

    -- A receiver that was held for this probe may be probed again.
    IF s_openings IS NOT NULL AND s_attempts <= s_attempts_before THEN
      UPDATE webhook_receivers r SET held_until = s_held_until
      WHERE r.bucket = p_bucket AND r.account_id = p_account_id AND r.origin = s_origin
        AND r.openings = s_openings AND r.held_until IS NOT DISTINCT FROM s_held_before;
    END IF;

    id := s_id; now := v_now;
    RETURN NEXT;
  END LOOP;

  -- Replay jobs count the deliveries that they started and that were settled.
  IF v_ended_replays IS NULL THEN
    RETURN;
  END IF;
  FOR v_replay_id, v_delivered, v_failed IN
    SELECT e.replay_id, count(*) FILTER (WHERE e.outcome = 'delivered'), count(*) FILTER (WHERE e.outcome = 'dead')
    FROM unnest(v_ended_replays, v_outcomes) AS e (replay_id, outcome)
    GROUP BY e.replay_id
    ORDER BY e.replay_id
  LOOP
    INSERT INTO webhook_replay_outcomes AS o (bucket, account_id, replay_id, part, delivered, failed)
    VALUES (p_bucket, p_account_id, v_replay_id, p_part, v_delivered, v_failed)
    ON CONFLICT (bucket, account_id, replay_id, part) DO UPDATE
      SET delivered = o.delivered + excluded.delivered, failed = o.failed + excluded.failed;
  END LOOP;
END $$;
