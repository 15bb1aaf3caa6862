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
-- are stored by sets; one by itself, or others, one after the other by scalars: a set of one costs more.
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
  v_now float8 := floor(extract(epoch FROM statement_timestamp()) * 1000)::float8;
  -- Of each callback, whether it begins, and behind which other one.
  v_begun boolean[];
  v_behind uuid[];
  -- The account whose endpoints were looked for last, and the latest of them.
  v_account uuid;
  v_endpoint integer;
  -- Executions of which endpoints are to be told, and those that have ended.
  v_noted uuid[];
  v_ended uuid[];
  v_ended_account uuid[];
  v_ended_key uuid[];

  -- Several moves: which were stored, and those of them that a statement is about.
  v_stored uuid[];
  v_is_stored boolean[];
  v_ids uuid[];
  v_accounts uuid[];
  v_keys uuid[];
  v_numbers integer[];
  v_types text[];
  v_statuses text[];
  v_attempts smallint[];
  v_epochs integer[];
  v_times timestamptz(3)[];
  v_starts timestamptz(3)[];
  v_ends timestamptz(3)[];
  v_agents uuid[];
  v_slots integer[];
  v_results json[];
  v_bytes integer[];
  v_events uuid[];
  v_urls text[];
  v_requests text[];
  v_references text[];
  v_origins text[];
  v_tries integer[];
  v_tried timestamptz(3)[];
  v_due timestamptz(3)[];
  v_until timestamptz(3)[];
  v_leased boolean[];
  v_dispatchers uuid[];
  v_count integer;

  -- One move.
  s_id uuid; s_revision integer; s_next integer; s_lease_seen timestamptz(3); s_account_id uuid; s_agent_id uuid;
  s_api_key_id uuid; s_status text; s_status_reason text; s_error_message text; s_attempt smallint; s_epoch integer;
  s_updated_at timestamptz(3); s_started_at timestamptz(3); s_stopped_at timestamptz(3); s_due_at timestamptz(3);
  s_slot integer; s_session_id uuid; s_claim_id text; s_lease_expires_at timestamptz(3); s_keeps_lease boolean;
  s_attempt_epoch integer; s_start_by timestamptz(3); s_deadline_at timestamptz(3); s_input_expires_at timestamptz(3);
  s_completion_epoch integer; s_completion_fingerprint text; s_completion_status text; s_happening text; s_inputs jsonb;
  s_priority smallint; s_scheduled_at timestamptz(3); s_expires_at timestamptz(3); s_freed_slot integer; s_listed_as text;
  s_result json; s_result_bytes integer; s_waited_for text; s_rank smallint; s_due_before timestamptz(3); s_waits_for text;
  s_concurrency_key text; s_seat_rank smallint; s_seats smallint; s_look_at timestamptz(3); s_event text; s_event_id uuid;
  s_callback_url text; s_request_id text; s_reference text; s_origin text; s_told_until timestamptz(3); s_is_begun boolean;
  s_tries integer; s_tried_at timestamptz(3); s_delivery_due_at timestamptz(3); s_dispatcher_id uuid; s_audit_id uuid;
  s_audit_account_id uuid; s_actor_kind text; s_actor_id text; s_actor_person uuid; s_actor_name text;
  s_from_address text; s_audit_request_id text; s_action text; s_subject_kind text; s_subject_id text;
  s_subject_name text; s_folded_names text; s_audit_before json; s_audit_after json;
  s_told_at timestamptz(3);
  s_announced text; s_has_listeners boolean;
  held record; earlier record; told record; ended record;
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
      s_dispatcher_id := p_dispatcher_id[n];
      s_told_at := p_told_at[n];
      PERFORM FROM webhook_queue q
      WHERE q.bucket = p_bucket AND q.account_id = earlier.account_id AND q.origin = earlier.origin AND q.is_retry
        AND q.due_at = earlier.next_attempt_at AND q.delivery_id = earlier.id AND q.dispatcher_id = s_dispatcher_id
        AND q.due_at > s_told_at;
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

    SELECT array_agg(m.id), array_agg(m.number), array_agg(m.type), array_agg(m.status), array_agg(m.attempt),
      array_agg(m.epoch), array_agg(m.at), count(*)
    INTO v_ids, v_numbers, v_types, v_statuses, v_attempts, v_epochs, v_times, v_count
    FROM (
      SELECT unnest(p_id) AS id, unnest(p_revision) + 1 AS number, unnest(p_happening) AS type, unnest(p_status) AS status,
        unnest(p_attempt) AS attempt, unnest(p_epoch) AS epoch, unnest(p_updated_at) AS at
    ) AS m
    WHERE m.id = ANY (v_stored);
    INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
    VALUES (p_bucket, unnest(v_ids), unnest(v_numbers), unnest(v_types), unnest(v_statuses), unnest(v_attempts),
      unnest(v_epochs), v_times[generate_series(1, v_count)]);

    IF p_freed_slot IS NOT NULL THEN
      SELECT array_agg(m.id), array_agg(DISTINCT m.agent_id), array_agg(DISTINCT m.slot) INTO v_ids, v_agents, v_slots
      FROM (SELECT unnest(p_id) AS id, unnest(p_agent_id) AS agent_id, unnest(p_freed_slot) AS slot) AS m
      WHERE m.id = ANY (v_stored) AND m.slot IS NOT NULL;
      UPDATE agent_slots a SET execution_id = NULL, session_id = NULL
      WHERE a.bucket = p_bucket AND a.agent_id = ANY (v_agents) AND a.slot = ANY (v_slots) AND a.execution_id = ANY (v_ids);
    END IF;

    IF p_listed_as IS NOT NULL THEN
      SELECT array_agg(m.id), array_agg(m.status) INTO v_ids, v_statuses
      FROM (SELECT unnest(p_id) AS id, unnest(p_listed_as) AS status) AS m
      WHERE m.id = ANY (v_stored) AND m.status IS NOT NULL;
      UPDATE execution_status l SET status = m.status
      FROM (SELECT unnest(v_ids) AS id, unnest(v_statuses) AS status) AS m
      WHERE l.bucket = p_bucket AND l.execution_id = ANY (v_ids) AND l.execution_id = m.id;
    END IF;

    IF p_result IS NOT NULL THEN
      SELECT array_agg(m.id), array_agg(m.result::json), array_agg(m.bytes) INTO v_ids, v_results, v_bytes
      FROM (SELECT unnest(p_id) AS id, unnest(p_result) AS result, unnest(p_result_bytes) AS bytes) AS m
      WHERE m.id = ANY (v_stored) AND m.result IS NOT NULL;
      INSERT INTO execution_results (bucket, execution_id, result, bytes)
      VALUES (p_bucket, unnest(v_ids), unnest(v_results), unnest(v_bytes));
    END IF;

    IF p_stopped_at IS NOT NULL THEN
      SELECT array_agg(m.id), array_agg(m.account_id), array_agg(m.api_key_id)
      INTO v_ended, v_ended_account, v_ended_key
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_api_key_id) AS api_key_id,
          unnest(p_stopped_at) AS stopped_at
      ) AS m
      WHERE m.id = ANY (v_stored) AND m.stopped_at IS NOT NULL;
    END IF;

    IF p_event IS NOT NULL THEN
      SELECT array_agg(m.account_id), array_agg(m.event_id), array_agg(m.api_key_id), array_agg(m.id),
        array_agg(m.number), array_agg(m.event), array_agg(m.url), array_agg(m.request_id), array_agg(m.reference),
        array_agg(m.origin), array_agg(m.status), array_agg(m.started_at), array_agg(m.stopped_at),
        array_agg(CASE WHEN m.is_begun THEN 1 ELSE 0 END), array_agg(CASE WHEN m.is_begun THEN m.told_at END),
        array_agg(CASE WHEN m.is_begun THEN m.begun_until ELSE m.told_at END), array_agg(m.told_until),
        array_agg(m.updated_at), array_agg(m.is_begun IS TRUE), array_agg(CASE WHEN m.is_begun THEN m.dispatcher_id END),
        count(*)
      INTO v_accounts, v_events, v_keys, v_ids, v_numbers, v_types, v_urls, v_requests, v_references, v_origins,
        v_statuses, v_starts, v_ends, v_tries, v_tried, v_due, v_until, v_times, v_leased, v_dispatchers, v_count
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_api_key_id) AS api_key_id,
          unnest(p_revision) + 1 AS number, unnest(p_status) AS status, unnest(p_started_at) AS started_at,
          unnest(p_stopped_at) AS stopped_at, unnest(p_updated_at) AS updated_at, unnest(p_event) AS event,
          unnest(p_event_id) AS event_id, unnest(p_callback_url) AS url, unnest(p_request_id) AS request_id,
          unnest(p_reference) AS reference, unnest(p_origin) AS origin, unnest(p_told_at) AS told_at,
          unnest(p_told_until) AS told_until, unnest(p_begun_until) AS begun_until,
          unnest(p_dispatcher_id) AS dispatcher_id, unnest(v_begun) AS is_begun
      ) AS m
      WHERE m.id = ANY (v_stored) AND m.event IS NOT NULL;
      INSERT INTO webhook_deliveries (bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id,
        reference, execution_status, execution_started_at, execution_stopped_at, state, attempts, attempted_at, round,
        next_attempt_at, expires_at, created_at)
      VALUES (p_bucket, unnest(v_accounts), unnest(v_events), unnest(v_keys), unnest(v_ids), unnest(v_numbers),
        unnest(v_types), unnest(v_urls), unnest(v_requests), unnest(v_references), unnest(v_statuses),
        v_starts[generate_series(1, v_count)], v_ends[generate_series(1, v_count)], 'pending', unnest(v_tries),
        v_tried[generate_series(1, v_count)], 1, v_due[generate_series(1, v_count)], v_until[generate_series(1, v_count)],
        v_times[generate_series(1, v_count)]);
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
      VALUES (p_bucket, unnest(v_accounts), unnest(v_origins), unnest(v_leased), v_due[generate_series(1, v_count)],
        unnest(v_events), unnest(v_dispatchers));
    END IF;

    IF p_announced IS NOT NULL THEN
      FOR told IN
        SELECT m.account_id, array_agg(m.id) AS ids, array_agg(m.number) AS numbers, array_agg(m.type) AS types,
          array_agg(m.status) AS statuses, array_agg(m.at) AS times, array_agg(m.started_at) AS starts,
          array_agg(m.stopped_at) AS ends, count(*)::integer AS count
        FROM (
          SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_revision) + 1 AS number,
            unnest(p_announced) AS type, unnest(p_status) AS status, unnest(p_updated_at) AS at,
            unnest(p_started_at) AS started_at, unnest(p_stopped_at) AS stopped_at
        ) AS m
        WHERE m.id = ANY (v_stored) AND m.type IS NOT NULL
        GROUP BY m.account_id
      LOOP
        SELECT max(p.number) INTO v_endpoint
        FROM webhook_endpoints p
        WHERE p.bucket = p_bucket AND p.account_id = told.account_id AND p.is_enabled AND p.removed_at IS NULL;
        CONTINUE WHEN v_endpoint IS NULL;
        v_times := told.times; v_starts := told.starts; v_ends := told.ends; v_count := told.count;
        INSERT INTO endpoint_outbox (bucket, account_id, execution_id, revision, last_endpoint, type, status, at,
          started_at, stopped_at)
        VALUES (p_bucket, told.account_id, unnest(told.ids), unnest(told.numbers), v_endpoint, unnest(told.types),
          unnest(told.statuses), v_times[generate_series(1, v_count)], v_starts[generate_series(1, v_count)],
          v_ends[generate_series(1, v_count)]);
        v_noted := v_noted || told.ids;
      END LOOP;
    END IF;

    RETURN QUERY
    SELECT m.id, v_now, m.is_begun IS TRUE, m.behind, coalesce(m.id = ANY (v_noted), FALSE)
    FROM (SELECT unnest(p_id) AS id, unnest(v_begun) AS is_begun, unnest(v_behind) AS behind) AS m
    WHERE m.id = ANY (v_stored);
  ELSE
    FOR i IN 1..cardinality(p_id) LOOP
      s_id := p_id[i]; s_revision := p_revision[i]; s_lease_seen := p_lease_seen[i];
      PERFORM FROM executions e
      WHERE e.bucket = p_bucket AND e.id = s_id AND e.revision = s_revision
        AND (s_lease_seen IS NULL OR e.lease_expires_at = s_lease_seen)
      FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      s_account_id := p_account_id[i]; s_agent_id := p_agent_id[i]; s_due_at := p_due_at[i];

      -- In which queue it is depends on whether a claim, or who gives seats, has looked since it was due.
      s_waited_for := p_waited_for[i];
      IF s_waited_for IS NOT NULL THEN
        s_rank := p_rank_before[i]; s_due_before := p_due_before[i];
        DELETE FROM ready_queue q
        WHERE q.bucket = p_bucket AND q.agent_id = s_agent_id AND q.rank = s_rank AND q.due_at = s_due_before
          AND q.execution_id = s_id;
        IF NOT FOUND AND s_waited_for = 'agent' THEN
          DELETE FROM delayed_queue q
          WHERE q.bucket = p_bucket AND q.agent_id = s_agent_id AND q.due_at = s_due_before AND q.execution_id = s_id;
        ELSIF NOT FOUND THEN
          DELETE FROM concurrency_queue q WHERE q.bucket = p_bucket AND q.execution_id = s_id;
        END IF;
        CONTINUE WHEN NOT FOUND;
      END IF;

      s_next := s_revision + 1; s_api_key_id := p_api_key_id[i]; s_status := p_status[i];
      s_status_reason := p_status_reason[i]; s_error_message := p_error_message[i]; s_attempt := p_attempt[i];
      s_epoch := p_epoch[i]; s_updated_at := p_updated_at[i]; s_started_at := p_started_at[i];
      s_stopped_at := p_stopped_at[i]; s_slot := p_slot[i]; s_session_id := p_session_id[i]; s_claim_id := p_claim_id[i];
      s_lease_expires_at := p_lease_expires_at[i]; s_keeps_lease := p_keeps_lease[i];
      s_attempt_epoch := p_attempt_epoch[i]; s_start_by := p_start_by[i]; s_deadline_at := p_deadline_at[i];
      s_input_expires_at := p_input_expires_at[i]; s_completion_epoch := p_completion_epoch[i];
      s_completion_fingerprint := p_completion_fingerprint[i]; s_completion_status := p_completion_status[i];
      s_happening := p_happening[i]; s_inputs := p_inputs[i]; s_priority := p_priority[i];
      UPDATE executions e
      SET revision = s_next, updated_at = s_updated_at, status = s_status, status_reason = s_status_reason,
        error_message = s_error_message, attempt = s_attempt, epoch = s_epoch, started_at = s_started_at,
        stopped_at = s_stopped_at, due_at = s_due_at, slot = s_slot, session_id = s_session_id, claim_id = s_claim_id,
        lease_expires_at = CASE WHEN s_keeps_lease THEN e.lease_expires_at ELSE s_lease_expires_at END,
        attempt_epoch = s_attempt_epoch, start_by = s_start_by, deadline_at = s_deadline_at,
        input_expires_at = s_input_expires_at, completion_epoch = s_completion_epoch,
        completion_fingerprint = s_completion_fingerprint, completion_status = s_completion_status,
        inputs = coalesce(s_inputs, e.inputs), priority = coalesce(s_priority, e.priority)
      WHERE e.bucket = p_bucket AND e.id = s_id;
      INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
      VALUES (p_bucket, s_id, s_next, s_happening, s_status, s_attempt, s_epoch, s_updated_at);

      s_waits_for := p_waits_for[i];
      IF s_waits_for IS NOT NULL THEN
        s_rank := p_rank_after[i];
        IF s_waits_for = 'ready' THEN
          INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
          VALUES (p_bucket, s_agent_id, s_rank, s_due_at, s_id);
        ELSIF s_waits_for = 'delayed' THEN
          INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
          VALUES (p_bucket, s_agent_id, s_rank, s_due_at, s_id);
        ELSE
          s_concurrency_key := p_concurrency_key[i]; s_seat_rank := p_seat_rank[i]; s_seats := p_seats[i];
          -- Its key is looked at when it is due; never for the sake of one that waits for its caller.
          s_look_at := CASE WHEN s_waits_for = 'seat' THEN s_due_at ELSE 'infinity' END;
          INSERT INTO concurrency_queue
            (bucket, account_id, key, execution_id, agent_id, seat_rank, rank, due_at, seats, look_at)
          VALUES (p_bucket, s_account_id, s_concurrency_key, s_id, s_agent_id, s_seat_rank, s_rank, s_due_at, s_seats,
            s_look_at);
        END IF;
      END IF;

      -- In its own row, which nobody else writes: so no end waits for another of its key.
      IF p_leaves_seat[i] THEN
        UPDATE concurrency_seats c SET is_left = TRUE WHERE c.bucket = p_bucket AND c.execution_id = s_id;
      END IF;
      s_freed_slot := p_freed_slot[i];
      IF s_freed_slot IS NOT NULL THEN
        UPDATE agent_slots a SET execution_id = NULL, session_id = NULL
        WHERE a.bucket = p_bucket AND a.agent_id = s_agent_id AND a.slot = s_freed_slot AND a.execution_id = s_id;
      END IF;
      s_listed_as := p_listed_as[i];
      IF s_listed_as IS NOT NULL THEN
        UPDATE execution_status l SET status = s_listed_as WHERE l.bucket = p_bucket AND l.execution_id = s_id;
      END IF;
      IF p_result[i] IS NOT NULL THEN
        s_result := p_result[i]; s_result_bytes := p_result_bytes[i];
        INSERT INTO execution_results (bucket, execution_id, result, bytes)
        VALUES (p_bucket, s_id, s_result, s_result_bytes);
      END IF;
      IF s_priority IS NOT NULL THEN
        s_scheduled_at := p_scheduled_at[i]; s_expires_at := p_expires_at[i];
        UPDATE execution_requests r SET priority = s_priority, scheduled_at = s_scheduled_at, expires_at = s_expires_at
        WHERE r.bucket = p_bucket AND r.id = s_id;
      END IF;
      IF s_stopped_at IS NOT NULL THEN
        v_ended := v_ended || s_id; v_ended_account := v_ended_account || s_account_id;
        v_ended_key := v_ended_key || s_api_key_id;
      END IF;

      s_is_begun := coalesce(v_begun[i], FALSE);
      s_event := p_event[i];
      IF s_event IS NOT NULL THEN
        s_event_id := p_event_id[i]; s_callback_url := p_callback_url[i]; s_request_id := p_request_id[i];
        s_reference := p_reference[i]; s_origin := p_origin[i]; s_told_at := p_told_at[i]; s_told_until := p_told_until[i];
        s_tries := 0; s_tried_at := NULL; s_delivery_due_at := s_told_at; s_dispatcher_id := NULL;
        IF s_is_begun THEN
          s_tries := 1; s_tried_at := s_told_at; s_delivery_due_at := p_begun_until[i];
          s_dispatcher_id := p_dispatcher_id[i];
        END IF;
        INSERT INTO webhook_deliveries (bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id,
          reference, execution_status, execution_started_at, execution_stopped_at, state, attempts, attempted_at, round,
          next_attempt_at, expires_at, created_at)
        VALUES (p_bucket, s_account_id, s_event_id, s_api_key_id, s_id, s_next, s_event, s_callback_url, s_request_id,
          s_reference, s_status, s_started_at, s_stopped_at, 'pending', s_tries, s_tried_at, 1, s_delivery_due_at,
          s_told_until, s_updated_at);
        INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
        VALUES (p_bucket, s_account_id, s_origin, s_is_begun, s_delivery_due_at, s_event_id, s_dispatcher_id);
      END IF;

      s_announced := p_announced[i]; s_has_listeners := FALSE;
      IF s_announced IS NOT NULL THEN
        IF v_account IS DISTINCT FROM s_account_id THEN
          v_account := s_account_id;
          SELECT max(p.number) INTO v_endpoint
          FROM webhook_endpoints p
          WHERE p.bucket = p_bucket AND p.account_id = s_account_id AND p.is_enabled AND p.removed_at IS NULL;
        END IF;
        IF v_endpoint IS NOT NULL THEN
          INSERT INTO endpoint_outbox (bucket, account_id, execution_id, revision, last_endpoint, type, status, at,
            started_at, stopped_at)
          VALUES (p_bucket, s_account_id, s_id, s_next, v_endpoint, s_announced, s_status, s_updated_at, s_started_at,
            s_stopped_at);
          s_has_listeners := TRUE;
        END IF;
      END IF;

      s_audit_id := p_audit_id[i];
      IF s_audit_id IS NOT NULL THEN
        s_audit_account_id := p_audit_account_id[i]; s_actor_kind := p_actor_kind[i]; s_actor_id := p_actor_id[i];
        s_actor_person := p_actor_person[i]; s_actor_name := p_actor_name[i]; s_from_address := p_from_address[i];
        s_audit_request_id := p_audit_request_id[i]; s_action := p_action[i]; s_subject_kind := p_subject_kind[i];
        s_subject_id := p_subject_id[i]; s_subject_name := p_subject_name[i]; s_folded_names := p_folded_names[i];
        s_audit_before := p_audit_before[i]; s_audit_after := p_audit_after[i];
        INSERT INTO audit_log (bucket, account_id, id, actor_kind, actor_id, actor_person, actor_name, from_address,
          request_id, action, subject_kind, subject_id, subject_name, folded_names, before, after)
        VALUES (p_bucket, s_audit_account_id, s_audit_id, s_actor_kind, s_actor_id, s_actor_person, s_actor_name,
          s_from_address, s_audit_request_id, s_action, s_subject_kind, s_subject_id, s_subject_name, s_folded_names,
          s_audit_before, s_audit_after);
      END IF;

      id := s_id; now := v_now; is_begun := s_is_begun; behind := v_behind[i];
      has_listeners := s_has_listeners;
      RETURN NEXT;
    END LOOP;
  END IF;

  -- Lowers the counts of unfinished executions that no create has locked; otherwise leaves a note of each end, which the next
  -- create subtracts.
  IF v_ended IS NULL THEN RETURN; END IF;
  FOR ended IN
    SELECT m.account_id, m.api_key_id, count(*)::integer AS ends, array_agg(m.id) AS ids
    FROM (SELECT unnest(v_ended) AS id, unnest(v_ended_account) AS account_id, unnest(v_ended_key) AS api_key_id) AS m
    GROUP BY m.account_id, m.api_key_id
  LOOP
    IF NOT p_waits THEN
      PERFORM FROM live_counts c
      WHERE c.bucket = p_bucket AND c.account_id = ended.account_id AND c.api_key_id = ended.api_key_id
      FOR UPDATE SKIP LOCKED;
    END IF;
    IF FOUND AND NOT p_waits THEN
      UPDATE live_counts c SET live = c.live - ended.ends
      WHERE c.bucket = p_bucket AND c.account_id = ended.account_id AND c.api_key_id = ended.api_key_id;
    ELSE
      INSERT INTO live_releases (bucket, account_id, execution_id, api_key_id)
      VALUES (p_bucket, ended.account_id, unnest(ended.ids), ended.api_key_id);
    END IF;
  END LOOP;
END $$;
