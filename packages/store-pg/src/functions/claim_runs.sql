-- Claims up to `p_limit` due runs for a session, and leases them until the start deadline.
--
-- Answers the runs with what their runner must know of their tasks, the highest priority first. A claim id that has living
--   leases already gets those again, and nothing new: a repeated request takes no more work. Nothing once the session was closed.
-- Locks free slots of agents first, then runs, both with SKIP LOCKED: of two claims at once, the second passes by what the
--   first has locked, and neither waits. A run is locked before its row in a queue is removed, as in everything that
--   changes the queues.
-- May be missing: runs that others have locked at this moment, runs beyond `p_bytes_max`, and deferred runs of one agent
--   beyond the 250 that come due in one claim. The next claim finds them.
CREATE OR REPLACE FUNCTION claim_runs(
  p_bucket smallint, p_account_id uuid, p_session_id uuid, p_agent_ids uuid[], p_claim_id text, p_limit integer,
  p_bytes_max integer, p_item_bytes integer, p_now timestamptz, p_start_deadline float8
) RETURNS TABLE (
  id uuid, account_id uuid, api_key_id uuid, agent_id uuid, task_id uuid, task_version_id uuid, status text,
  status_reason text, reference text, metadata text, params text, sealed_params text, result text, error_message text,
  priority smallint, scheduled_at timestamptz, expires_at timestamptz, timeout_seconds integer, max_attempts smallint,
  retry_backoff json, attempt smallint, epoch integer, callback_url text, callback_events text[], request_id text,
  rerun_of uuid, schedule_id uuid, concurrency json, traceparent text, created_at timestamptz, updated_at timestamptz,
  started_at timestamptz, stopped_at timestamptz, revision integer, session_id uuid, claim_id text,
  lease_expires_at timestamptz, attempt_epoch integer, due_at timestamptz, deadline_at timestamptz, inputs jsonb,
  completion_epoch integer, completion_fingerprint text, completion_status text, slot integer, request_bytes integer,
  slug text, number integer, params_schema json
)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now constant timestamptz(3) := coalesce(p_now, statement_timestamp());
  v_lease_end constant timestamptz(3) := v_now + p_start_deadline * interval '1 millisecond';
  v_agents uuid[]; v_agent uuid; v_slots integer[]; v_count integer; v_held uuid[];
  -- Of one agent: what is ready, and what was deferred and is due.
  a_id uuid[]; a_rank smallint[]; a_due_at timestamptz(3)[];
  d_id uuid[]; d_rank smallint[]; d_due_at timestamptz(3)[];
  -- Of all agents: what may be taken, each with its slot, and what was deferred and is due.
  c_agent_id uuid[]; c_slot integer[]; c_id uuid[]; c_rank smallint[]; c_due_at timestamptz(3)[];
  l_agent_id uuid[]; l_id uuid[]; l_rank smallint[]; l_due_at timestamptz(3)[];
  -- The runs as they are claimed.
  r_id uuid[]; r_revision integer[]; r_status text[]; r_epoch integer[]; r_updated_at timestamptz(3)[]; r_attempt smallint[];
BEGIN
  -- The agents whose work the session may take: those it names, or all of the account. None once it was closed.
  SELECT array_agg(a.id) INTO v_agents
  FROM agents a
  WHERE a.bucket = p_bucket AND a.account_id = p_account_id AND a.state = 'active'
    AND (p_agent_ids IS NULL OR a.id = ANY (p_agent_ids))
    AND EXISTS (
      SELECT FROM runner_sessions s WHERE s.bucket = p_bucket AND s.account_id = p_account_id AND s.id = p_session_id
    );

  -- The runs that this claim id has leased before. When there are any, nothing else is claimed.
  SELECT array_agg(s.execution_id) INTO v_held
  FROM agent_slots s
  WHERE s.bucket = p_bucket AND s.agent_id = ANY (v_agents) AND s.session_id = p_session_id;
  IF v_held IS NOT NULL THEN
    SELECT array_agg(e.id) INTO r_id
    FROM executions e
    WHERE e.bucket = p_bucket AND e.id = ANY (v_held) AND e.session_id = p_session_id AND e.claim_id = p_claim_id
      AND e.lease_expires_at > v_now;
  END IF;

  IF r_id IS NULL THEN
    -- The agents with work that is due. The others are left alone, so that a claim that finds nothing locks nothing.
    SELECT array_agg(a.id) INTO v_agents
    FROM unnest(v_agents) AS a (id)
    WHERE EXISTS (SELECT FROM ready_queue q WHERE q.bucket = p_bucket AND q.agent_id = a.id OFFSET 0)
      OR EXISTS (
        SELECT FROM delayed_queue q WHERE q.bucket = p_bucket AND q.agent_id = a.id AND q.due_at <= v_now OFFSET 0
      );

    FOREACH v_agent IN ARRAY coalesce(v_agents, '{}') LOOP
      -- Free slots, locked, as many as the claim may take of each agent: the nth is for the nth run.
      SELECT array_agg(free.slot) INTO v_slots
      FROM (
        SELECT s.slot
        FROM agent_slots s
        WHERE s.bucket = p_bucket AND s.agent_id = v_agent AND s.execution_id IS NULL AND NOT s.is_surplus
        ORDER BY s.slot
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
      ) AS free;
      CONTINUE WHEN v_slots IS NULL;
      v_count := cardinality(v_slots);

      -- Runs that are ready, in the order of the queue, locked. A change of a run in the queues locks the run first.
      SELECT array_agg(w.execution_id), array_agg(w.rank), array_agg(w.due_at) INTO a_id, a_rank, a_due_at
      FROM (
        SELECT q.execution_id, q.rank, q.due_at
        FROM ready_queue q
        CROSS JOIN LATERAL (
          SELECT FROM executions e
          WHERE e.bucket = p_bucket AND e.id = q.execution_id AND e.status = 'queued' AND e.slot IS NULL
            AND e.due_at = q.due_at AND e.due_at <= v_now AND (e.start_by IS NULL OR e.start_by > v_now)
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS e
        WHERE q.bucket = p_bucket AND q.agent_id = v_agent
        ORDER BY q.rank, q.due_at, q.execution_id
        LIMIT v_count
      ) AS w;

      -- Deferred runs that have become due: they compete with the ready ones by their rank.
      SELECT array_agg(w.execution_id), array_agg(w.rank), array_agg(w.due_at) INTO d_id, d_rank, d_due_at
      FROM (
        SELECT q.execution_id, q.rank, q.due_at
        FROM delayed_queue q
        CROSS JOIN LATERAL (
          SELECT FROM executions e
          WHERE e.bucket = p_bucket AND e.id = q.execution_id AND e.status = 'queued' AND e.slot IS NULL
            AND e.due_at = q.due_at AND e.due_at <= v_now AND (e.start_by IS NULL OR e.start_by > v_now)
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS e
        WHERE q.bucket = p_bucket AND q.agent_id = v_agent AND q.due_at <= v_now
        ORDER BY q.due_at, q.execution_id
        LIMIT 250
      ) AS w;
      IF d_id IS NOT NULL THEN
        l_agent_id := l_agent_id || array_fill(v_agent, ARRAY[cardinality(d_id)]);
        l_id := l_id || d_id; l_rank := l_rank || d_rank; l_due_at := l_due_at || d_due_at;
        SELECT array_agg(w.id), array_agg(w.rank), array_agg(w.due_at) INTO a_id, a_rank, a_due_at
        FROM (
          SELECT w.*
          FROM unnest(a_id || d_id, a_rank || d_rank, a_due_at || d_due_at) AS w (id, rank, due_at)
          ORDER BY w.rank, w.due_at, w.id
          LIMIT v_count
        ) AS w;
      END IF;

      CONTINUE WHEN a_id IS NULL;
      c_agent_id := c_agent_id || array_fill(v_agent, ARRAY[cardinality(a_id)]);
      c_slot := c_slot || v_slots[:cardinality(a_id)];
      c_id := c_id || a_id; c_rank := c_rank || a_rank; c_due_at := c_due_at || a_due_at;
    END LOOP;

    IF c_id IS NULL THEN
      RETURN;
    END IF;

    -- Of all agents together no more than the claim may take.
    IF cardinality(c_id) > p_limit OR cardinality(v_agents) > 1 THEN
      SELECT array_agg(c.agent_id), array_agg(c.slot), array_agg(c.id), array_agg(c.rank), array_agg(c.due_at)
      INTO c_agent_id, c_slot, c_id, c_rank, c_due_at
      FROM (
        SELECT c.*
        FROM unnest(c_agent_id, c_slot, c_id, c_rank, c_due_at) AS c (agent_id, slot, id, rank, due_at)
        ORDER BY c.rank, c.due_at, c.id
        LIMIT p_limit
      ) AS c;
    END IF;

    -- As many as fit in the answer; the first one always, however large it is.
    IF cardinality(c_id) > 1 THEN
      SELECT count(*) INTO v_count
      FROM (
        SELECT c.place, sum(r.bytes) OVER (ORDER BY c.place) AS so_far
        FROM unnest(c_id) WITH ORDINALITY AS c (id, place)
        CROSS JOIN LATERAL (
          SELECT p_item_bytes + r.bytes + octet_length(e.inputs::text) AS bytes
          FROM execution_requests r, executions e
          WHERE r.bucket = p_bucket AND r.id = c.id AND e.bucket = p_bucket AND e.id = c.id
          LIMIT 1
        ) AS r
      ) AS weighed
      WHERE weighed.so_far <= p_bytes_max OR weighed.place = 1;
      c_agent_id := c_agent_id[:v_count]; c_slot := c_slot[:v_count];
      c_id := c_id[:v_count]; c_rank := c_rank[:v_count]; c_due_at := c_due_at[:v_count];
    END IF;

    -- All that was deferred and is due leaves its queue, and is ready from then on if it is not taken. By arrays as well as
    -- by the join, here and below: else a plan that was made while little waited holds each run against all that waits.
    IF l_id IS NOT NULL THEN
      DELETE FROM delayed_queue q
      USING unnest(l_agent_id, l_due_at, l_id) AS l (agent_id, due_at, execution_id)
      WHERE q.bucket = p_bucket AND q.agent_id = ANY (l_agent_id) AND q.due_at = ANY (l_due_at)
        AND q.execution_id = ANY (l_id)
        AND q.agent_id = l.agent_id AND q.due_at = l.due_at AND q.execution_id = l.execution_id;
      INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT p_bucket, l.agent_id, l.rank, l.due_at, l.execution_id
      FROM unnest(l_agent_id, l_rank, l_due_at, l_id) AS l (agent_id, rank, due_at, execution_id)
      WHERE l.execution_id <> ALL (c_id);
    END IF;

    -- What was chosen leaves the queue of ready runs,
    DELETE FROM ready_queue q
    USING unnest(c_agent_id, c_rank, c_due_at, c_id) AS c (agent_id, rank, due_at, execution_id)
    WHERE q.bucket = p_bucket AND q.agent_id = ANY (c_agent_id) AND q.rank = ANY (c_rank) AND q.due_at = ANY (c_due_at)
      AND q.agent_id = c.agent_id AND q.rank = c.rank AND q.due_at = c.due_at AND q.execution_id = c.execution_id;

    -- takes its slots,
    UPDATE agent_slots s SET execution_id = c.id, session_id = p_session_id
    FROM unnest(c_agent_id, c_slot, c_id) AS c (agent_id, slot, id)
    WHERE s.bucket = p_bucket AND s.agent_id = ANY (c_agent_id) AND s.slot = ANY (c_slot)
      AND s.agent_id = c.agent_id AND s.slot = c.slot;

    -- and gets its leases; a new epoch fences off earlier runners.
    WITH claimed AS (
      UPDATE executions e
      SET revision = e.revision + 1, updated_at = greatest(v_now, e.updated_at), epoch = e.epoch + 1,
        attempt_epoch = e.epoch + 1, slot = c.slot, session_id = p_session_id, claim_id = p_claim_id,
        lease_expires_at = v_lease_end
      FROM unnest(c_id, c_slot) AS c (id, slot)
      WHERE e.bucket = p_bucket AND e.id = ANY (c_id) AND e.id = c.id
      RETURNING e.id, e.revision, e.status, e.epoch, e.updated_at, e.attempt
    )
    SELECT array_agg(e.id), array_agg(e.revision), array_agg(e.status), array_agg(e.epoch), array_agg(e.updated_at),
      array_agg(e.attempt)
    INTO r_id, r_revision, r_status, r_epoch, r_updated_at, r_attempt
    FROM claimed e;
    INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
    SELECT p_bucket, r.id, r.revision, r.status, r.epoch, r.at, 'claimed', r.attempt
    FROM unnest(r_id, r_revision, r_status, r_epoch, r_updated_at, r_attempt) AS r (id, revision, status, epoch, at, attempt);
  END IF;

  RETURN QUERY
  SELECT r.id, r.account_id, r.api_key_id, r.agent_id, r.task_id, r.task_version_id, e.status, e.status_reason,
    r.reference::text, r.metadata::text, r.params::text, r.sealed_params, NULL::text, e.error_message, r.priority,
    r.scheduled_at::timestamptz, r.expires_at::timestamptz, r.timeout_seconds, r.max_attempts, r.retry_backoff, e.attempt,
    e.epoch, r.callback_url, r.callback_events, r.request_id, r.rerun_of, r.schedule_id, r.concurrency, r.traceparent,
    r.created_at::timestamptz, e.updated_at::timestamptz, e.started_at::timestamptz, e.stopped_at::timestamptz, e.revision,
    e.session_id, e.claim_id, e.lease_expires_at::timestamptz, e.attempt_epoch, e.due_at::timestamptz,
    e.deadline_at::timestamptz, e.inputs, e.completion_epoch, e.completion_fingerprint, e.completion_status, e.slot, r.bytes,
    t.slug, v.number, v.params_schema
  FROM unnest(r_id) AS c (id)
  CROSS JOIN LATERAL (SELECT * FROM executions e WHERE e.bucket = p_bucket AND e.id = c.id LIMIT 1) AS e
  CROSS JOIN LATERAL (SELECT * FROM execution_requests r WHERE r.bucket = p_bucket AND r.id = c.id LIMIT 1) AS r
  JOIN tasks t ON t.bucket = p_bucket AND t.account_id = r.account_id AND t.id = r.task_id
  JOIN task_versions v ON v.bucket = p_bucket AND v.account_id = r.account_id AND v.id = r.task_version_id
  ORDER BY r.priority DESC, e.due_at, e.id;
END $$;
