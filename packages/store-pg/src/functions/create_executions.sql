-- Creates executions of one bucket: those that are within the limits and no duplicates.
--
-- Answers a row for each item, in their order: made (refused_by is null), or why it was not: 'removed' with its account,
--   'known' by its idempotency key, over the limit of its 'account' or of its 'key'. Of what is made: begun_at, where its
--   event began in the place that was kept for it; taken_at and its slot, where a poll has got it; whether endpoints
--   listen to its account.
-- Locks the counts of unfinished executions of these accounts first, in the order of their keys, so that the limits hold
--   however many create at once; then notes of ends with SKIP LOCKED; then idempotency keys in their order.
-- Arrays hold one element for each item, of which no two have the same idempotency key. All but the first may be null as a
--   whole: `unnest` fills up with nulls.
-- p_now is null where the time of the caller's statement counts. p_limit is the least of all limits of the items: as long
--   as all counts together are below it, no item is judged by itself.
CREATE OR REPLACE FUNCTION create_executions(
  p_bucket smallint, p_now timestamptz, p_limit integer, p_delivery_millis float8,
  p_account_id uuid[], p_id uuid[], p_api_key_id uuid[], p_agent_id uuid[], p_task_id uuid[], p_task_version_id uuid[],
  p_reference text[], p_metadata text[], p_params text[], p_sealed_params text[], p_priority smallint[],
  p_scheduled_at timestamptz[], p_expires_at timestamptz[], p_timeout_seconds integer[], p_max_attempts smallint[],
  p_retry_backoff text[], p_callback_url text[], p_callback_events text[], p_request_id text[], p_rerun_of uuid[],
  p_schedule_id uuid[], p_concurrency text[], p_traceparent text[], p_created_at timestamptz[], p_bytes integer[],
  p_status text[], p_account_max integer[], p_key_max integer[],
  p_concurrency_key text[], p_seat_rank smallint[], p_seats smallint[],
  p_idempotency_key text[], p_fingerprint text[], p_key_millis float8[],
  p_event text[], p_event_id uuid[], p_origin text[], p_told_reference text[], p_dispatcher_id uuid[], p_lease_millis float8[], p_announced text[],
  p_session_id uuid[], p_claim_id text[], p_taken_status text[], p_taken_attempt smallint[], p_taken_revision integer[],
  p_taken_millis float8[], p_timeout_millis float8[]
) RETURNS TABLE (
  id uuid, refused_by text, begun_at timestamptz, taken_at timestamptz, slot integer, has_listeners boolean
)
LANGUAGE plpgsql
-- Planned once a connection. With the lengths of the arrays known, each plan would look better than the one for all.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_now constant timestamptz(3) := coalesce(p_now, statement_timestamp());
  v_live bigint;
  v_keys uuid[];
  v_noted_accounts uuid[];
  v_noted_keys uuid[];
  v_words text[];
  v_remembered uuid[];
  v_begun boolean[];
  v_slots integer[];
  v_listened uuid[];
  v_listeners integer[];
BEGIN
  -- The counts, which other creates for these accounts now wait for.
  SELECT coalesce(sum(c.live), 0), array_agg(c.api_key_id) INTO v_live, v_keys
  FROM (
    SELECT live, api_key_id FROM live_counts
    WHERE bucket = p_bucket AND account_id = ANY (p_account_id)
    ORDER BY account_id, api_key_id
    FOR UPDATE
  ) AS c;

  -- The removal of an account takes away the counts of its keys.
  IF (p_api_key_id <@ v_keys) IS NOT TRUE THEN
    SELECT array_agg(CASE WHEN a.api_key_id = ANY (v_keys) THEN NULL ELSE 'removed' END ORDER BY a.place) INTO v_words
    FROM unnest(p_api_key_id) WITH ORDINALITY AS a (api_key_id, place);
  END IF;

  -- What has ended since lowers the counts, and its notes are used up: an end leaves a note instead of waiting.
  PERFORM FROM live_releases l
  WHERE l.bucket = p_bucket AND l.account_id = ANY (p_account_id) AND l.api_key_id = ANY (v_keys)
  LIMIT 1;
  IF FOUND THEN
    WITH noted AS (
      SELECT account_id, execution_id FROM live_releases
      WHERE bucket = p_bucket AND account_id = ANY (p_account_id) AND api_key_id = ANY (v_keys)
      LIMIT 4096
      FOR UPDATE SKIP LOCKED
    ), released AS (
      DELETE FROM live_releases l USING noted
      WHERE l.bucket = p_bucket AND l.account_id = noted.account_id AND l.execution_id = noted.execution_id
      RETURNING l.account_id, l.api_key_id
    )
    SELECT array_agg(account_id), array_agg(api_key_id) INTO v_noted_accounts, v_noted_keys FROM released;
  END IF;

  -- A key that another transaction uses at this moment is waited for. One whose time is over is used anew.
  IF p_idempotency_key IS NOT NULL THEN
    WITH remembered AS (
      INSERT INTO idempotency_keys AS k (bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at)
      SELECT p_bucket, a.api_key_id, a.key, a.fingerprint, a.id, v_now, v_now + a.millis * interval '1 millisecond'
      FROM (
        SELECT unnest(p_id) AS id, unnest(p_api_key_id) AS api_key_id, unnest(p_idempotency_key) AS key,
          unnest(p_fingerprint) AS fingerprint, unnest(p_key_millis) AS millis, unnest(v_words) AS word
      ) AS a
      WHERE a.key IS NOT NULL AND a.word IS NULL
      ORDER BY a.api_key_id, a.key COLLATE "C"
      ON CONFLICT (bucket, api_key_id, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, execution_id = excluded.execution_id,
          created_at = excluded.created_at, expires_at = excluded.expires_at
        WHERE k.expires_at <= excluded.created_at
      RETURNING k.execution_id
    )
    SELECT array_agg(execution_id) INTO v_remembered FROM remembered;
    SELECT array_agg(
        CASE WHEN a.word IS NULL AND a.key IS NOT NULL AND (a.id = ANY (v_remembered)) IS NOT TRUE THEN 'known' ELSE a.word END
        ORDER BY a.place
      ) INTO v_words
    FROM unnest(p_id, p_idempotency_key, v_words) WITH ORDINALITY AS a (id, key, word, place);
  END IF;

  -- Over a limit: of the account first, then of the key. Those before an item that are made count too.
  IF v_live - coalesce(cardinality(v_noted_keys), 0) + cardinality(p_id) > p_limit THEN
    WITH live AS (
      SELECT e.account_id, e.api_key_id, sum(e.live) AS live
      FROM (
        SELECT account_id, api_key_id, live FROM live_counts
        WHERE bucket = p_bucket AND account_id = ANY (p_account_id)
        UNION ALL
        SELECT unnest(v_noted_accounts), unnest(v_noted_keys), -1
      ) AS e
      GROUP BY e.account_id, e.api_key_id
    ), by_key AS (
      SELECT a.*,
        (count(*) FILTER (WHERE a.word IS NULL) OVER (PARTITION BY a.account_id, a.api_key_id ORDER BY a.place)
          + coalesce((SELECT l.live FROM live l WHERE l.account_id = a.account_id AND l.api_key_id = a.api_key_id), 0)
          > a.key_max) IS NOT TRUE AS fits_key
      FROM unnest(p_account_id, p_api_key_id, p_account_max, p_key_max, v_words) WITH ORDINALITY
        AS a (account_id, api_key_id, account_max, key_max, word, place)
    ), by_account AS (
      SELECT k.*,
        count(*) FILTER (WHERE k.word IS NULL AND k.fits_key) OVER (
          PARTITION BY k.account_id ORDER BY k.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) + coalesce((SELECT sum(l.live) FROM live l WHERE l.account_id = k.account_id), 0) < k.account_max AS fits_account
      FROM by_key k
    )
    SELECT array_agg(
        CASE WHEN b.word IS NOT NULL THEN b.word WHEN NOT b.fits_account THEN 'account' WHEN NOT b.fits_key THEN 'key' END
        ORDER BY b.place
      ) INTO v_words
    FROM by_account b;
    IF p_idempotency_key IS NOT NULL THEN
      DELETE FROM idempotency_keys k
      USING unnest(p_id, p_api_key_id, p_idempotency_key, v_words) AS a (id, api_key_id, key, word)
      WHERE k.bucket = p_bucket AND k.api_key_id = a.api_key_id AND k.key = a.key AND k.execution_id = a.id
        AND a.word IN ('account', 'key');
    END IF;
  END IF;

  INSERT INTO live_counts AS c (bucket, account_id, api_key_id, live)
  SELECT p_bucket, e.account_id, e.api_key_id, sum(e.change)
  FROM (
    SELECT a.account_id, a.api_key_id, 1 AS change
    FROM (
      SELECT unnest(p_account_id) AS account_id, unnest(p_api_key_id) AS api_key_id, unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL
    UNION ALL
    SELECT unnest(v_noted_accounts), unnest(v_noted_keys), -1
  ) AS e
  GROUP BY e.account_id, e.api_key_id
  ORDER BY e.account_id, e.api_key_id
  ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE SET live = c.live + excluded.live;

  -- What never changes about an execution,
  INSERT INTO execution_requests (
    bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
    sealed_params, priority, scheduled_at, expires_at, timeout_seconds, max_attempts, retry_backoff, callback_url,
    callback_events, request_id, rerun_of, schedule_id, concurrency, traceparent, created_at, bytes, idempotency_key
  )
  SELECT p_bucket, a.account_id, a.id, a.api_key_id, a.agent_id, a.task_id, a.task_version_id, a.reference,
    a.metadata::json, a.params::json, a.sealed_params, a.priority, a.scheduled_at, a.expires_at, a.timeout_seconds,
    a.max_attempts, a.retry_backoff::json, a.callback_url, a.callback_events::text[], a.request_id, a.rerun_of,
    a.schedule_id, a.concurrency::json, a.traceparent, a.created_at, a.bytes, a.idempotency_key
  FROM (
    SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_api_key_id) AS api_key_id,
      unnest(p_agent_id) AS agent_id, unnest(p_task_id) AS task_id, unnest(p_task_version_id) AS task_version_id,
      unnest(p_reference) AS reference, unnest(p_metadata) AS metadata, unnest(p_params) AS params,
      unnest(p_sealed_params) AS sealed_params, unnest(p_priority) AS priority, unnest(p_scheduled_at) AS scheduled_at,
      unnest(p_expires_at) AS expires_at, unnest(p_timeout_seconds) AS timeout_seconds,
      unnest(p_max_attempts) AS max_attempts, unnest(p_retry_backoff) AS retry_backoff,
      unnest(p_callback_url) AS callback_url, unnest(p_callback_events) AS callback_events,
      unnest(p_request_id) AS request_id, unnest(p_rerun_of) AS rerun_of, unnest(p_schedule_id) AS schedule_id,
      unnest(p_concurrency) AS concurrency, unnest(p_traceparent) AS traceparent, unnest(p_created_at) AS created_at,
      unnest(p_bytes) AS bytes, unnest(p_idempotency_key) AS idempotency_key, unnest(v_words) AS word
  ) AS a
  WHERE a.word IS NULL;

  -- what happens to it,
  INSERT INTO executions (
    bucket, account_id, id, agent_id, api_key_id, priority, status, due_at, updated_at, start_by
  )
  SELECT p_bucket, a.account_id, a.id, a.agent_id, a.api_key_id, a.priority, a.status, greatest(v_now, a.scheduled_at),
    a.created_at, a.expires_at
  FROM (
    SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_agent_id) AS agent_id,
      unnest(p_api_key_id) AS api_key_id, unnest(p_priority) AS priority, unnest(p_status) AS status,
      unnest(p_scheduled_at) AS scheduled_at, unnest(p_created_at) AS created_at, unnest(p_expires_at) AS expires_at,
      unnest(v_words) AS word
  ) AS a
  WHERE a.word IS NULL;

  -- where it is listed,
  INSERT INTO execution_status (
    bucket, account_id, execution_id, agent_id, task_id, status
  )
  SELECT p_bucket, a.account_id, a.id, a.agent_id, a.task_id, a.status
  FROM (
    SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_agent_id) AS agent_id,
      unnest(p_task_id) AS task_id, unnest(p_status) AS status, unnest(v_words) AS word
  ) AS a
  WHERE a.word IS NULL;

  -- and its first event. Of what is queued at once, its request says as much.
  IF 'pending' = ANY (p_status) THEN
    INSERT INTO execution_events (
      bucket, execution_id, number, type, status, attempt, epoch, at
    )
    SELECT p_bucket, a.id, 1, 'created', a.status, 0, 0, a.created_at
    FROM (
      SELECT unnest(p_id) AS id, unnest(p_status) AS status, unnest(p_created_at) AS created_at, unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL AND a.status <> 'queued';
  END IF;

  -- What a poll of the caller waits for goes to it, if it has a free slot and nothing else goes first.
  IF p_session_id IS NOT NULL THEN
    v_slots := array_fill(NULL::integer, ARRAY[cardinality(p_id)]);
    FOR i IN 1 .. cardinality(p_id) LOOP
      IF p_session_id[i] IS NOT NULL AND v_words[i] IS NULL THEN
        v_slots[i] := assign_created(
          p_bucket, v_now, p_account_id[i], p_id[i], p_agent_id[i], p_priority[i], p_expires_at[i], p_created_at[i],
          p_session_id[i], p_claim_id[i], p_taken_status[i], p_taken_attempt[i], p_taken_revision[i],
          p_taken_millis[i], p_timeout_millis[i]
        );
      END IF;
    END LOOP;
  END IF;

  -- It waits: for a seat of its key, or while it is held for its caller,
  IF p_concurrency_key IS NOT NULL THEN
    INSERT INTO concurrency_queue (
      bucket, account_id, key, execution_id, agent_id, seat_rank, rank, due_at, seats, look_at
    )
    SELECT p_bucket, a.account_id, a.concurrency_key, a.id, a.agent_id, a.seat_rank, -a.priority,
      greatest(v_now, a.scheduled_at), a.seats,
      CASE WHEN a.status = 'queued' THEN greatest(v_now, a.scheduled_at) ELSE 'infinity' END
    FROM (
      SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_agent_id) AS agent_id,
        unnest(p_priority) AS priority, unnest(p_status) AS status, unnest(p_scheduled_at) AS scheduled_at,
        unnest(p_concurrency_key) AS concurrency_key, unnest(p_seat_rank) AS seat_rank, unnest(p_seats) AS seats,
        unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL AND a.concurrency_key IS NOT NULL;
  END IF;

  -- for a slot if it is due,
  INSERT INTO ready_queue (
    bucket, agent_id, rank, due_at, execution_id
  )
  SELECT p_bucket, a.agent_id, -a.priority, v_now, a.id
  FROM (
    SELECT unnest(p_id) AS id, unnest(p_agent_id) AS agent_id, unnest(p_priority) AS priority, unnest(p_status) AS status,
      unnest(p_scheduled_at) AS scheduled_at, unnest(p_concurrency_key) AS concurrency_key, unnest(v_slots) AS slot,
      unnest(v_words) AS word
  ) AS a
  WHERE a.word IS NULL AND a.slot IS NULL AND a.status = 'queued' AND a.concurrency_key IS NULL
    AND (a.scheduled_at IS NULL OR a.scheduled_at <= v_now);

  -- or for its time.
  IF p_scheduled_at IS NOT NULL THEN
    INSERT INTO delayed_queue (
      bucket, agent_id, rank, due_at, execution_id
    )
    SELECT p_bucket, a.agent_id, -a.priority, a.scheduled_at, a.id
    FROM (
      SELECT unnest(p_id) AS id, unnest(p_agent_id) AS agent_id, unnest(p_priority) AS priority, unnest(p_status) AS status,
        unnest(p_scheduled_at) AS scheduled_at, unnest(p_concurrency_key) AS concurrency_key, unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL AND a.status = 'queued' AND a.concurrency_key IS NULL AND a.scheduled_at > v_now;
  END IF;

  -- Its callback is due, or begins at once in the place that a dispatcher has kept for it, unless its receiver is held.
  IF p_event IS NOT NULL THEN
    IF p_dispatcher_id IS NOT NULL THEN
      SELECT array_agg(
          a.dispatcher_id IS NOT NULL AND a.event IS NOT NULL AND NOT EXISTS (
            SELECT FROM webhook_receivers r
            WHERE r.bucket = p_bucket AND r.account_id = a.account_id AND r.origin = a.origin
              AND (r.openings > 0 OR r.held_until > v_now)
          )
          ORDER BY a.place
        ) INTO v_begun
      FROM unnest(p_account_id, p_origin, p_event, p_dispatcher_id) WITH ORDINALITY
        AS a (account_id, origin, event, dispatcher_id, place);
    END IF;
    INSERT INTO webhook_deliveries (
      bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, execution_status,
      state, round, attempts, attempted_at, next_attempt_at, expires_at, created_at
    )
    SELECT p_bucket, a.account_id, a.event_id, a.api_key_id, a.id, 1, a.event, a.url, a.request_id, a.reference, a.status,
      'pending', 1, CASE WHEN a.is_begun THEN 1 ELSE 0 END, CASE WHEN a.is_begun THEN v_now END,
      CASE WHEN a.is_begun THEN v_now + a.lease_millis * interval '1 millisecond' ELSE v_now END,
      v_now + p_delivery_millis * interval '1 millisecond', a.created_at
    FROM (
      SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_api_key_id) AS api_key_id,
        unnest(p_event) AS event, unnest(p_event_id) AS event_id, unnest(p_callback_url) AS url,
        unnest(p_request_id) AS request_id, unnest(p_told_reference) AS reference, unnest(p_status) AS status,
        unnest(p_created_at) AS created_at, unnest(p_lease_millis) AS lease_millis, unnest(v_begun) AS is_begun,
        unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL AND a.event IS NOT NULL;
    INSERT INTO webhook_queue (
      bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id
    )
    SELECT p_bucket, a.account_id, a.origin, a.is_begun IS TRUE,
      CASE WHEN a.is_begun THEN v_now + a.lease_millis * interval '1 millisecond' ELSE v_now END, a.event_id,
      CASE WHEN a.is_begun THEN a.dispatcher_id END
    FROM (
      SELECT unnest(p_account_id) AS account_id, unnest(p_event) AS event, unnest(p_event_id) AS event_id,
        unnest(p_origin) AS origin, unnest(p_dispatcher_id) AS dispatcher_id, unnest(p_lease_millis) AS lease_millis,
        unnest(v_begun) AS is_begun, unnest(v_words) AS word
    ) AS a
    WHERE a.word IS NULL AND a.event IS NOT NULL;
  END IF;

  -- What endpoints are to be told of it, and that a poll has started it.
  SELECT array_agg(p.account_id), array_agg(p.last_endpoint) INTO v_listened, v_listeners
  FROM (
    SELECT account_id, max(number) AS last_endpoint
    FROM webhook_endpoints
    WHERE bucket = p_bucket AND account_id = ANY (p_account_id) AND is_enabled AND removed_at IS NULL
    GROUP BY account_id
  ) AS p;
  IF v_listened IS NOT NULL THEN
    INSERT INTO endpoint_outbox (
      bucket, account_id, execution_id, revision, type, status, at, started_at, last_endpoint
    )
    SELECT p_bucket, a.account_id, a.id, e.revision, e.type, e.status, e.at, e.started_at, p.last_endpoint
    FROM (
      SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_announced) AS announced,
        unnest(p_status) AS status, unnest(p_created_at) AS created_at, unnest(p_taken_status) AS taken_status,
        unnest(p_taken_attempt) AS taken_attempt, unnest(p_taken_revision) AS taken_revision, unnest(v_slots) AS slot,
        unnest(v_words) AS word
    ) AS a
    JOIN unnest(v_listened, v_listeners) AS p (account_id, last_endpoint) ON p.account_id = a.account_id
    CROSS JOIN LATERAL (
      SELECT 1 AS revision, a.announced AS type, a.status, a.created_at AS at, NULL::timestamptz AS started_at
      WHERE a.announced IS NOT NULL
      UNION ALL
      SELECT a.taken_revision, 'execution.started', a.taken_status, greatest(v_now, a.created_at),
        greatest(v_now, a.created_at)
      WHERE a.slot IS NOT NULL AND a.taken_attempt > 0
    ) AS e
    WHERE a.word IS NULL;
  END IF;

  RETURN QUERY
  SELECT a.id, a.word, CASE WHEN a.is_begun AND a.word IS NULL THEN v_now::timestamptz END,
    CASE WHEN a.slot IS NOT NULL THEN v_now::timestamptz END, a.slot,
    a.word IS NULL AND a.announced IS NOT NULL AND (a.account_id = ANY (v_listened)) IS TRUE
  FROM (
    SELECT unnest(p_id) AS id, unnest(p_account_id) AS account_id, unnest(p_announced) AS announced,
      unnest(v_words) AS word, unnest(v_begun) AS is_begun, unnest(v_slots) AS slot
  ) AS a;
END $$;
