-- Stores moves of runs of one bucket, with all that follows from each, in one call.
--
-- Decides nothing: a move is stored if its run still has the revision on which it was judged, and is where it waited.
-- Answers a row for each move that was stored: when; whether its callback has begun, and behind which other one; and
--   whether endpoints are to be told of it, which is noted in their outbox.
-- Locks each run first; then what only the holder of that lock changes: its rows in queues, its slot, its seat, its row of
--   the list; last of all the counts of unfinished executions, with SKIP LOCKED.
-- May be missing: a run that others have moved since the move was judged, or have locked, unless the call waits for it.
--
-- Arrays have an element for each move; one that is null as a whole says so of every move. Several moves of the usual kind
-- are stored by sets; one by itself, or others, one after the other by the elements of the arrays: a set of one costs
-- more. SET names no element itself: where its array is null, Citus 13 crashes.
CREATE OR REPLACE FUNCTION store_moves(
  p_bucket smallint,
  -- Whether it waits for locks. It is then in a transaction that may keep its own for long, and locks no counts.
  p_waits boolean,

  -- The run, and the state for which it was judged. A sweep names the end of the lease, which heartbeats move on.
  p_id uuid[], p_revision integer[], p_lease_seen timestamptz(3)[],

  -- The run from now on.
  p_account_id uuid[], p_agent_id uuid[], p_api_key_id uuid[], p_status text[], p_status_reason text[],
  p_error_message text[], p_attempt smallint[], p_epoch integer[], p_updated_at timestamptz(3)[],
  p_started_at timestamptz(3)[], p_stopped_at timestamptz(3)[], p_due_at timestamptz(3)[], p_slot integer[],
  p_session_id uuid[], p_claim_id text[], p_lease_expires_at timestamptz(3)[], p_keeps_lease boolean[],
  p_attempt_epoch integer[], p_start_by timestamptz(3)[], p_deadline_at timestamptz(3)[],
  p_input_expires_at timestamptz(3)[], p_completion_epoch integer[], p_completion_fingerprint text[],
  p_completion_status text[], p_happening text[],

  -- What is null where it stays as it is. The ends of a request go with its priority.
  p_inputs text[], p_priority smallint[], p_scheduled_at timestamptz(3)[], p_expires_at timestamptz(3)[],
  p_freed_slot integer[], p_listed_as text[], p_result text[], p_result_bytes integer[],

  -- The queues that it leaves (agent, key) and enters (ready, delayed, seat, caller), and whether it leaves a seat.
  p_waited_for text[], p_rank_before smallint[], p_due_before timestamptz(3)[], p_waits_for text[], p_rank_after smallint[],
  p_concurrency_key text[], p_seat_rank smallint[], p_seats smallint[], p_leaves_seat boolean[],

  -- Its callback, and until when a dispatcher has it that has reserved a place.
  p_event text[], p_event_id uuid[], p_callback_url text[], p_request_id text[], p_reference text[], p_origin text[],
  p_told_at timestamptz(3)[], p_told_until timestamptz(3)[], p_begun_until timestamptz(3)[], p_dispatcher_id uuid[],

  -- What endpoints may want to hear of it.
  p_announced text[],

  -- Its entry in the audit log.
  p_audit_id uuid[], p_audit_account_id uuid[], p_actor_kind text[], p_actor_id text[], p_actor_person uuid[],
  p_actor_name text[], p_from_address text[], p_audit_request_id text[], p_action text[], p_subject_kind text[],
  p_subject_id text[], p_subject_name text[], p_folded_names text[], p_audit_before text[], p_audit_after text[]
) RETURNS TABLE (id uuid, now float8, is_begun boolean, behind uuid, has_listeners boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_now constant float8 := floor(extract(epoch FROM statement_timestamp()) * 1000);
  -- Of each callback, whether it begins, and behind which other one.
  v_begun boolean[];
  v_behind uuid[];
  v_account uuid;
  -- The latest endpoint of an account.
  v_endpoint integer;
  -- What was stored, of which endpoints are to be told, and what has ended, with its API key.
  v_stored uuid[];
  v_noted uuid[];
  v_ended uuid[];
  v_keys uuid[];
  v_ends integer;
  held record; earlier record;
  n integer;
BEGIN
  IF p_waits THEN
    PERFORM FROM executions e WHERE e.bucket = p_bucket AND e.id = ANY (p_id) ORDER BY e.id FOR UPDATE;
  END IF;

  -- A callback begins at once if a dispatcher has a place for it, its receiver is not held, and no earlier one of the
  -- execution is pending elsewhere. Behind one that the same dispatcher sends it may begin.
  IF p_begun_until IS NOT NULL THEN
    FOR i IN 1..cardinality(p_id) LOOP
      v_begun[i] := p_begun_until[i] IS NOT NULL;
    END LOOP;
    FOR held IN
      SELECT r.account_id, r.origin, r.openings, r.held_until
      FROM webhook_receivers r
      WHERE r.bucket = p_bucket AND r.account_id = ANY (p_account_id) AND r.origin = ANY (p_origin)
        AND (r.openings > 0 OR r.held_until IS NOT NULL)
    LOOP
      FOR i IN 1..cardinality(p_id) LOOP
        IF p_account_id[i] = held.account_id AND p_origin[i] = held.origin
          AND (held.openings > 0 OR held.held_until > p_told_at[i]) THEN
          v_begun[i] := FALSE;
        END IF;
      END LOOP;
    END LOOP;
    FOR earlier IN
      SELECT d.execution_id, d.account_id, d.id, d.next_attempt_at, substring(d.url FROM '^[a-z]+://[^/?#]+') AS origin
      FROM webhook_deliveries d
      WHERE d.bucket = p_bucket AND d.execution_id = ANY (p_id) AND d.endpoint_id IS NULL AND d.state = 'pending'
        AND d.round = 1
      ORDER BY d.revision DESC, d.id DESC
    LOOP
      n := array_position(p_id, earlier.execution_id);
      CONTINUE WHEN NOT v_begun[n];
      v_behind[n] := coalesce(v_behind[n], earlier.id);
      PERFORM FROM webhook_queue q
      WHERE q.bucket = p_bucket AND q.account_id = earlier.account_id AND q.origin = earlier.origin AND q.is_retry
        AND q.due_at = earlier.next_attempt_at AND q.delivery_id = earlier.id AND q.dispatcher_id = p_dispatcher_id[n]
        AND q.due_at > p_told_at[n];
      v_begun[n] := FOUND;
    END LOOP;
  END IF;

  IF cardinality(p_id) > 1 AND NOT p_waits AND p_inputs IS NULL AND p_priority IS NULL AND p_waited_for IS NULL
    AND p_waits_for IS NULL AND p_leaves_seat IS NULL AND p_audit_id IS NULL THEN
    WITH asked AS (
      SELECT unnest(p_id) AS id, unnest(p_revision) AS revision, unnest(p_lease_seen) AS lease_seen,
        unnest(p_status) AS status, unnest(p_status_reason) AS status_reason, unnest(p_error_message) AS error_message,
        unnest(p_attempt) AS attempt, unnest(p_epoch) AS epoch, unnest(p_updated_at) AS updated_at,
        unnest(p_started_at) AS started_at, unnest(p_stopped_at) AS stopped_at, unnest(p_due_at) AS due_at,
        unnest(p_slot) AS slot, unnest(p_session_id) AS session_id, unnest(p_claim_id) AS claim_id,
        unnest(p_lease_expires_at) AS lease_expires_at, unnest(p_keeps_lease) AS keeps_lease,
        unnest(p_attempt_epoch) AS attempt_epoch, unnest(p_start_by) AS start_by, unnest(p_deadline_at) AS deadline_at,
        unnest(p_input_expires_at) AS input_expires_at, unnest(p_completion_epoch) AS completion_epoch,
        unnest(p_completion_fingerprint) AS completion_fingerprint, unnest(p_completion_status) AS completion_status
    ), locked AS (
      SELECT a.*
      FROM asked a
      CROSS JOIN LATERAL (
        SELECT FROM executions e
        WHERE e.bucket = p_bucket AND e.id = a.id AND e.revision = a.revision
          AND (a.lease_seen IS NULL OR e.lease_expires_at = a.lease_seen)
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS e
    ), after AS (
      -- By the ids as well as by the join: otherwise a plan may walk a whole bucket that it takes for small.
      UPDATE executions e
      SET revision = m.revision + 1, updated_at = m.updated_at, status = m.status, status_reason = m.status_reason,
        error_message = m.error_message, attempt = m.attempt, epoch = m.epoch, started_at = m.started_at,
        stopped_at = m.stopped_at, due_at = m.due_at, slot = m.slot, session_id = m.session_id, claim_id = m.claim_id,
        lease_expires_at = CASE WHEN m.keeps_lease THEN e.lease_expires_at ELSE m.lease_expires_at END,
        attempt_epoch = m.attempt_epoch, start_by = m.start_by, deadline_at = m.deadline_at,
        input_expires_at = m.input_expires_at, completion_epoch = m.completion_epoch,
        completion_fingerprint = m.completion_fingerprint, completion_status = m.completion_status
      FROM locked m
      WHERE e.bucket = p_bucket AND e.id = ANY (ARRAY (SELECT id FROM locked)) AND e.id = m.id
      RETURNING m.id
    )
    SELECT array_agg(after.id) INTO v_stored FROM after;
    IF v_stored IS NULL THEN RETURN; END IF;

    INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
    SELECT p_bucket, m.id, m.revision + 1, m.type, m.status, m.attempt, m.epoch, m.at
    FROM (
      SELECT unnest(p_id) AS id, unnest(p_revision) AS revision, unnest(p_happening) AS type, unnest(p_status) AS status,
        unnest(p_attempt) AS attempt, unnest(p_epoch) AS epoch, unnest(p_updated_at) AS at
    ) AS m
    WHERE m.id = ANY (v_stored);

    IF p_freed_slot IS NOT NULL THEN
      UPDATE agent_slots a SET execution_id = NULL, session_id = NULL
      WHERE a.bucket = p_bucket AND a.agent_id = ANY (p_agent_id) AND a.slot = ANY (p_freed_slot)
        AND a.execution_id = ANY (v_stored);
    END IF;

    IF p_listed_as IS NOT NULL THEN
      UPDATE execution_status l SET status = m.status
      FROM (SELECT unnest(p_id) AS id, unnest(p_listed_as) AS status) AS m
      WHERE l.bucket = p_bucket AND l.execution_id = ANY (v_stored) AND l.execution_id = m.id AND m.status IS NOT NULL;
    END IF;

    IF p_result IS NOT NULL THEN
      INSERT INTO execution_results (bucket, execution_id, result, bytes)
      SELECT p_bucket, m.id, m.result::json, m.bytes
      FROM (SELECT unnest(p_id) AS id, unnest(p_result) AS result, unnest(p_result_bytes) AS bytes) AS m
      WHERE m.id = ANY (v_stored) AND m.result IS NOT NULL;
    END IF;

    IF p_event IS NOT NULL THEN
      INSERT INTO webhook_deliveries (bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id,
        reference, execution_status, execution_started_at, execution_stopped_at, state, attempts, attempted_at, round,
        next_attempt_at, expires_at, created_at)
      SELECT p_bucket, m.account_id, m.event_id, m.api_key_id, m.id, m.revision + 1, m.event, m.url, m.request_id,
        m.reference, m.status, m.started_at, m.stopped_at, 'pending', CASE WHEN m.is_begun THEN 1 ELSE 0 END,
        CASE WHEN m.is_begun THEN m.told_at END, 1, CASE WHEN m.is_begun THEN m.begun_until ELSE m.told_at END,
        m.told_until, m.updated_at
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_api_key_id) AS api_key_id,
          unnest(p_revision) AS revision, unnest(p_status) AS status, unnest(p_started_at) AS started_at,
          unnest(p_stopped_at) AS stopped_at, unnest(p_updated_at) AS updated_at, unnest(p_event) AS event,
          unnest(p_event_id) AS event_id, unnest(p_callback_url) AS url, unnest(p_request_id) AS request_id,
          unnest(p_reference) AS reference, unnest(p_told_at) AS told_at, unnest(p_told_until) AS told_until,
          unnest(p_begun_until) AS begun_until, unnest(v_begun) AS is_begun
      ) AS m
      WHERE m.id = ANY (v_stored) AND m.event IS NOT NULL;
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
      SELECT p_bucket, m.account_id, m.origin, m.is_begun IS TRUE,
        CASE WHEN m.is_begun THEN m.begun_until ELSE m.told_at END, m.event_id,
        CASE WHEN m.is_begun THEN m.dispatcher_id END
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_event_id) AS event_id,
          unnest(p_origin) AS origin, unnest(p_told_at) AS told_at, unnest(p_begun_until) AS begun_until,
          unnest(p_dispatcher_id) AS dispatcher_id, unnest(v_begun) AS is_begun
      ) AS m
      WHERE m.id = ANY (v_stored) AND m.event_id IS NOT NULL;
    END IF;

    IF p_announced IS NOT NULL THEN
      WITH noted AS (
        INSERT INTO endpoint_outbox (bucket, account_id, execution_id, revision, last_endpoint, type, status, at,
          started_at, stopped_at)
        SELECT p_bucket, m.account_id, m.id, m.revision + 1, p.number, m.type, m.status, m.at, m.started_at, m.stopped_at
        FROM (
          SELECT p.account_id, max(p.number) AS number
          FROM webhook_endpoints p
          WHERE p.bucket = p_bucket AND p.account_id = ANY (p_account_id) AND p.is_enabled AND p.removed_at IS NULL
          GROUP BY p.account_id
        ) AS p
        JOIN (
          SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_revision) AS revision,
            unnest(p_announced) AS type, unnest(p_status) AS status, unnest(p_updated_at) AS at,
            unnest(p_started_at) AS started_at, unnest(p_stopped_at) AS stopped_at
        ) AS m USING (account_id)
        WHERE m.id = ANY (v_stored) AND m.type IS NOT NULL
        RETURNING execution_id
      )
      SELECT array_agg(noted.execution_id) INTO v_noted FROM noted;
    END IF;

    IF p_stopped_at IS NOT NULL THEN
      SELECT array_agg(m.id), array_agg(m.api_key_id) INTO v_ended, v_keys
      FROM (SELECT unnest(p_id) AS id, unnest(p_api_key_id) AS api_key_id, unnest(p_stopped_at) AS stopped_at) AS m
      WHERE m.id = ANY (v_stored) AND m.stopped_at IS NOT NULL;
    END IF;

    RETURN QUERY
    SELECT m.id, v_now, m.is_begun IS TRUE, m.behind, coalesce(m.id = ANY (v_noted), FALSE)
    FROM (SELECT unnest(p_id) AS id, unnest(v_begun) AS is_begun, unnest(v_behind) AS behind) AS m
    WHERE m.id = ANY (v_stored);
  ELSE
    FOR i IN 1..cardinality(p_id) LOOP
      -- In which queue it is depends on whether a claim, or who gives seats, has looked since it was due.
      IF p_waited_for[i] IS NOT NULL THEN
        PERFORM FROM executions e
        WHERE e.bucket = p_bucket AND e.id = p_id[i] AND e.revision = p_revision[i]
        FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        DELETE FROM ready_queue q
        WHERE q.bucket = p_bucket AND q.agent_id = p_agent_id[i] AND q.rank = p_rank_before[i]
          AND q.due_at = p_due_before[i] AND q.execution_id = p_id[i];
        IF NOT FOUND AND p_waited_for[i] = 'agent' THEN
          DELETE FROM delayed_queue q
          WHERE q.bucket = p_bucket AND q.agent_id = p_agent_id[i] AND q.due_at = p_due_before[i]
            AND q.execution_id = p_id[i];
        ELSIF NOT FOUND THEN
          DELETE FROM concurrency_queue q WHERE q.bucket = p_bucket AND q.execution_id = p_id[i];
        END IF;
        CONTINUE WHEN NOT FOUND;
      END IF;

      WITH after AS (
        UPDATE executions e
        SET revision = e.revision + 1, updated_at = m.updated_at, status = m.status, status_reason = m.status_reason,
          error_message = m.error_message, attempt = m.attempt, epoch = m.epoch, started_at = m.started_at,
          stopped_at = m.stopped_at, due_at = m.due_at, slot = m.slot, session_id = m.session_id, claim_id = m.claim_id,
          lease_expires_at = CASE WHEN m.keeps_lease THEN e.lease_expires_at ELSE m.lease_expires_at END,
          attempt_epoch = m.attempt_epoch, start_by = m.start_by, deadline_at = m.deadline_at,
          input_expires_at = m.input_expires_at, completion_epoch = m.completion_epoch,
          completion_fingerprint = m.completion_fingerprint, completion_status = m.completion_status,
          inputs = coalesce(m.inputs, e.inputs), priority = coalesce(m.priority, e.priority)
        FROM (
          SELECT p_updated_at[i] AS updated_at, p_status[i] AS status, p_status_reason[i] AS status_reason,
            p_error_message[i] AS error_message, p_attempt[i] AS attempt, p_epoch[i] AS epoch,
            p_started_at[i] AS started_at, p_stopped_at[i] AS stopped_at, p_due_at[i] AS due_at, p_slot[i] AS slot,
            p_session_id[i] AS session_id, p_claim_id[i] AS claim_id, p_keeps_lease[i] AS keeps_lease,
            p_lease_expires_at[i] AS lease_expires_at, p_attempt_epoch[i] AS attempt_epoch, p_start_by[i] AS start_by,
            p_deadline_at[i] AS deadline_at, p_input_expires_at[i] AS input_expires_at,
            p_completion_epoch[i] AS completion_epoch, p_completion_fingerprint[i] AS completion_fingerprint,
            p_completion_status[i] AS completion_status, p_inputs[i]::jsonb AS inputs, p_priority[i] AS priority
        ) AS m
        WHERE e.bucket = p_bucket AND e.id = (
          SELECT l.id
          FROM executions l
          WHERE l.bucket = p_bucket AND l.id = p_id[i] AND l.revision = p_revision[i]
            AND (p_lease_seen[i] IS NULL OR l.lease_expires_at = p_lease_seen[i])
          FOR UPDATE SKIP LOCKED
        )
        RETURNING e.revision
      )
      SELECT (
        SELECT max(p.number)
        FROM webhook_endpoints p
        WHERE p.bucket = p_bucket AND p.account_id = p_account_id[i] AND p.is_enabled AND p.removed_at IS NULL
          AND p_announced[i] IS NOT NULL
      ) INTO v_endpoint
      FROM after;
      CONTINUE WHEN NOT FOUND;

      -- By itself: with an INSERT among its CTEs, Citus copies what they answer to all nodes, and one may be away.
      INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
      VALUES (p_bucket, p_id[i], p_revision[i] + 1, p_happening[i], p_status[i], p_attempt[i], p_epoch[i], p_updated_at[i]);

      IF p_waits_for[i] = 'ready' THEN
        INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
        VALUES (p_bucket, p_agent_id[i], p_rank_after[i], p_due_at[i], p_id[i]);
      ELSIF p_waits_for[i] = 'delayed' THEN
        INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
        VALUES (p_bucket, p_agent_id[i], p_rank_after[i], p_due_at[i], p_id[i]);
      ELSIF p_waits_for[i] IS NOT NULL THEN
        -- Its key is looked at when it is due; never for the sake of one that waits for its caller.
        INSERT INTO concurrency_queue
          (bucket, account_id, key, execution_id, agent_id, seat_rank, rank, due_at, seats, look_at)
        VALUES (p_bucket, p_account_id[i], p_concurrency_key[i], p_id[i], p_agent_id[i], p_seat_rank[i], p_rank_after[i],
          p_due_at[i], p_seats[i], CASE WHEN p_waits_for[i] = 'seat' THEN p_due_at[i] ELSE 'infinity' END);
      END IF;
      -- In its own row, which nobody else writes: so no end waits for another of its key.
      IF p_leaves_seat[i] THEN
        UPDATE concurrency_seats c SET is_left = TRUE WHERE c.bucket = p_bucket AND c.execution_id = p_id[i];
      END IF;
      IF p_freed_slot[i] IS NOT NULL THEN
        UPDATE agent_slots a SET execution_id = NULL, session_id = NULL
        WHERE a.bucket = p_bucket AND a.agent_id = p_agent_id[i] AND a.slot = p_freed_slot[i] AND a.execution_id = p_id[i];
      END IF;
      IF p_listed_as[i] IS NOT NULL THEN
        UPDATE execution_status l SET status = m.status FROM (SELECT p_listed_as[i] AS status) AS m
        WHERE l.bucket = p_bucket AND l.execution_id = p_id[i];
      END IF;
      IF p_result[i] IS NOT NULL THEN
        INSERT INTO execution_results (bucket, execution_id, result, bytes)
        VALUES (p_bucket, p_id[i], p_result[i]::json, p_result_bytes[i]);
      END IF;
      IF p_priority[i] IS NOT NULL THEN
        UPDATE execution_requests r SET priority = m.priority, scheduled_at = m.scheduled_at, expires_at = m.expires_at
        FROM (
          SELECT p_priority[i] AS priority, p_scheduled_at[i] AS scheduled_at, p_expires_at[i] AS expires_at
        ) AS m
        WHERE r.bucket = p_bucket AND r.id = p_id[i];
      END IF;
      IF p_stopped_at[i] IS NOT NULL THEN
        v_ended := v_ended || p_id[i]; v_keys := v_keys || p_api_key_id[i];
      END IF;

      IF p_event[i] IS NOT NULL THEN
        INSERT INTO webhook_deliveries (bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id,
          reference, execution_status, execution_started_at, execution_stopped_at, state, attempts, attempted_at, round,
          next_attempt_at, expires_at, created_at)
        VALUES (p_bucket, p_account_id[i], p_event_id[i], p_api_key_id[i], p_id[i], p_revision[i] + 1, p_event[i],
          p_callback_url[i], p_request_id[i], p_reference[i], p_status[i], p_started_at[i], p_stopped_at[i], 'pending',
          CASE WHEN v_begun[i] THEN 1 ELSE 0 END, CASE WHEN v_begun[i] THEN p_told_at[i] END, 1,
          CASE WHEN v_begun[i] THEN p_begun_until[i] ELSE p_told_at[i] END, p_told_until[i], p_updated_at[i]);
        INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
        VALUES (p_bucket, p_account_id[i], p_origin[i], v_begun[i] IS TRUE,
          CASE WHEN v_begun[i] THEN p_begun_until[i] ELSE p_told_at[i] END, p_event_id[i],
          CASE WHEN v_begun[i] THEN p_dispatcher_id[i] END);
      END IF;

      IF v_endpoint IS NOT NULL THEN
        INSERT INTO endpoint_outbox (bucket, account_id, execution_id, revision, last_endpoint, type, status, at,
          started_at, stopped_at)
        VALUES (p_bucket, p_account_id[i], p_id[i], p_revision[i] + 1, v_endpoint, p_announced[i], p_status[i],
          p_updated_at[i], p_started_at[i], p_stopped_at[i]);
      END IF;

      IF p_audit_id[i] IS NOT NULL THEN
        INSERT INTO audit_log (bucket, account_id, id, actor_kind, actor_id, actor_person, actor_name, from_address,
          request_id, action, subject_kind, subject_id, subject_name, folded_names, before, after)
        VALUES (p_bucket, p_audit_account_id[i], p_audit_id[i], p_actor_kind[i], p_actor_id[i], p_actor_person[i],
          p_actor_name[i], p_from_address[i], p_audit_request_id[i], p_action[i], p_subject_kind[i], p_subject_id[i],
          p_subject_name[i], p_folded_names[i], p_audit_before[i]::json, p_audit_after[i]::json);
      END IF;

      id := p_id[i]; now := v_now; is_begun := v_begun[i] IS TRUE; behind := v_behind[i];
      has_listeners := v_endpoint IS NOT NULL;
      RETURN NEXT;
    END LOOP;
  END IF;

  -- Lowers the counts of unfinished executions that no create has locked; otherwise leaves a note of each end, which the next
  -- create subtracts. An API key has one account.
  FOR i IN 1..coalesce(cardinality(v_ended), 0) LOOP
    CONTINUE WHEN array_position(v_keys, v_keys[i]) < i;
    v_ends := cardinality(array_positions(v_keys, v_keys[i])); v_account := p_account_id[array_position(p_id, v_ended[i])];
    UPDATE live_counts c SET live = c.live - v_ends
    WHERE c.bucket = p_bucket AND c.account_id = v_account AND c.api_key_id = (
      SELECT l.api_key_id
      FROM live_counts l
      WHERE l.bucket = p_bucket AND l.account_id = v_account AND l.api_key_id = v_keys[i] AND NOT p_waits
      FOR UPDATE SKIP LOCKED
    );
    CONTINUE WHEN FOUND;
    INSERT INTO live_releases (bucket, account_id, execution_id, api_key_id)
    SELECT p_bucket, v_account, m.id, m.key
    FROM (SELECT unnest(v_ended) AS id, unnest(v_keys) AS key) AS m
    WHERE m.key = v_keys[i];
  END LOOP;
END $$;
