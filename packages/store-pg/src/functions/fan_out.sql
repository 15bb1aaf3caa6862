-- Tells endpoints of changes of one bucket: forgets the notes of these changes, and stores a delivery for each endpoint that
-- is told of one.
--
-- Decides nothing: it stores what was judged of an execution if all its notes that were judged are still there. Otherwise
--   an earlier change of it, which another process tells of at that moment, might be told second.
-- Answers a row for each item that was stored, by its place among them; with begun_at if its delivery began at the dispatcher
--   that has room for it, and behind which other one of its stream.
-- Locks notes first, in the order of their keys, with SKIP LOCKED unless p_waits; then only what nobody else knows of yet.
-- Arrays have an element for each endpoint that is told of a change, with an id, and one without an id for a change of which
--   none is told. One that is null as a whole says so of every item.
-- p_now is null where the time of the caller's statement counts.
CREATE OR REPLACE FUNCTION fan_out(
  p_bucket smallint, p_now timestamptz(3), p_waits boolean, p_delivery_millis float8,
  p_account_id uuid[], p_execution_id uuid[], p_revision integer[], p_type text[], p_status text[], p_at timestamptz(3)[],
  p_started_at timestamptz(3)[], p_stopped_at timestamptz(3)[],
  p_id uuid[], p_api_key_id uuid[], p_endpoint_id uuid[], p_url text[], p_origin text[], p_request_id text[],
  p_reference text[], p_dispatcher_id uuid[], p_lease_millis float8[]
) RETURNS TABLE (place integer, begun_at timestamptz, behind uuid)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_now constant timestamptz(3) := coalesce(p_now, statement_timestamp());
  -- The executions whose judged notes are all here.
  v_own uuid[];
  -- Of each item, whether it begins at once, and behind which other one.
  v_begun boolean[];
  v_behind uuid[];
BEGIN
  IF p_waits THEN
    PERFORM FROM endpoint_outbox o
    WHERE o.bucket = p_bucket AND o.execution_id = ANY (p_execution_id)
    ORDER BY o.execution_id, o.revision
    FOR UPDATE;
  END IF;

  WITH held AS MATERIALIZED (
    SELECT o.execution_id, o.revision
    FROM endpoint_outbox o
    WHERE o.bucket = p_bucket AND o.execution_id = ANY (p_execution_id)
    ORDER BY o.execution_id, o.revision
    FOR UPDATE SKIP LOCKED
  )
  SELECT array_agg(own.execution_id) INTO v_own
  FROM (
    SELECT n.execution_id
    FROM unnest(p_execution_id, p_revision) AS n (execution_id, revision)
    LEFT JOIN held h ON h.execution_id = n.execution_id AND h.revision = n.revision
    GROUP BY n.execution_id
    HAVING count(h.execution_id) = count(*)
  ) AS own;
  IF v_own IS NULL THEN
    RETURN;
  END IF;

  DELETE FROM endpoint_outbox o
  USING unnest(p_execution_id, p_revision) AS n (execution_id, revision)
  WHERE o.bucket = p_bucket AND o.execution_id = ANY (v_own) AND o.execution_id = n.execution_id AND o.revision = n.revision;

  -- A delivery begins at once if a dispatcher has a place for it, its receiver is not held, and no earlier one of its stream
  -- is pending elsewhere. Behind one that the same dispatcher sends it may begin.
  IF p_dispatcher_id IS NOT NULL THEN
    WITH pending AS MATERIALIZED (
      SELECT e.execution_id, e.endpoint_id, (array_agg(e.id ORDER BY e.revision DESC, e.id DESC))[1] AS last_id,
        min(e.dispatcher_id::text)::uuid AS first_dispatcher, max(e.dispatcher_id::text)::uuid AS last_dispatcher,
        count(*) = count(e.dispatcher_id) AS is_sent
      FROM (
        SELECT d.execution_id, d.endpoint_id, d.id, d.revision, q.dispatcher_id
        FROM webhook_deliveries d
        LEFT JOIN LATERAL (
          SELECT q.dispatcher_id
          FROM webhook_queue q
          WHERE q.bucket = p_bucket AND q.account_id = d.account_id AND q.is_retry AND q.due_at = d.next_attempt_at
            AND q.origin = substring(d.url FROM '^[a-z]+://[^/?#]+') AND q.delivery_id = d.id AND q.due_at > v_now
          LIMIT 1
        ) AS q ON TRUE
        WHERE d.bucket = p_bucket AND d.execution_id = ANY (v_own) AND d.endpoint_id IS NOT NULL AND d.state = 'pending'
          AND d.round = 1
      ) AS e
      GROUP BY e.execution_id, e.endpoint_id
    ), judged AS (
      SELECT a.place, a.execution_id, a.endpoint_id, a.revision,
        coalesce(lag(a.id) OVER (PARTITION BY a.execution_id, a.endpoint_id ORDER BY a.revision), e.last_id) AS behind,
        a.dispatcher_id IS NOT NULL AND a.at + p_delivery_millis * interval '1 millisecond' > v_now
          AND a.dispatcher_id IS NOT DISTINCT FROM
            first_value(a.dispatcher_id) OVER (PARTITION BY a.execution_id, a.endpoint_id ORDER BY a.revision)
          AND (e.last_id IS NULL OR (e.is_sent AND e.first_dispatcher = a.dispatcher_id AND e.last_dispatcher = a.dispatcher_id))
          AND NOT EXISTS (
            SELECT FROM webhook_receivers r
            WHERE r.bucket = p_bucket AND r.account_id = a.account_id AND r.origin = a.origin
              AND (r.openings > 0 OR r.held_until > v_now)
          ) AS may_begin
      FROM unnest(p_id, p_account_id, p_execution_id, p_endpoint_id, p_revision, p_origin, p_at, p_dispatcher_id) WITH ORDINALITY
        AS a (id, account_id, execution_id, endpoint_id, revision, origin, at, dispatcher_id, place)
      LEFT JOIN pending e ON e.execution_id = a.execution_id AND e.endpoint_id = a.endpoint_id
    )
    SELECT array_agg(j.is_begun ORDER BY j.place), array_agg(CASE WHEN j.is_begun THEN j.behind END ORDER BY j.place)
    INTO v_begun, v_behind
    FROM (
      SELECT judged.place, judged.behind,
        bool_and(judged.may_begin)
          OVER (PARTITION BY judged.execution_id, judged.endpoint_id ORDER BY judged.revision) AS is_begun
      FROM judged
    ) AS j;
  END IF;

  INSERT INTO webhook_deliveries (
    bucket, account_id, id, api_key_id, endpoint_id, execution_id, revision, type, url, request_id, reference,
    execution_status, execution_started_at, execution_stopped_at, state, attempts, attempted_at, round, next_attempt_at,
    expires_at, created_at
  )
  SELECT p_bucket, a.account_id, a.id, a.api_key_id, a.endpoint_id, a.execution_id, a.revision, a.type, a.url, a.request_id,
    a.reference, a.status, a.started_at, a.stopped_at, 'pending', CASE WHEN a.is_begun THEN 1 ELSE 0 END,
    CASE WHEN a.is_begun THEN v_now END, 1,
    CASE WHEN a.is_begun THEN v_now + a.lease_millis * interval '1 millisecond' ELSE a.at END,
    a.at + p_delivery_millis * interval '1 millisecond', a.at
  FROM (
    SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_api_key_id) AS api_key_id,
      unnest(p_endpoint_id) AS endpoint_id, unnest(p_execution_id) AS execution_id, unnest(p_revision) AS revision,
      unnest(p_type) AS type, unnest(p_url) AS url, unnest(p_request_id) AS request_id, unnest(p_reference) AS reference,
      unnest(p_status) AS status, unnest(p_started_at) AS started_at, unnest(p_stopped_at) AS stopped_at, unnest(p_at) AS at,
      unnest(p_lease_millis) AS lease_millis, unnest(v_begun) AS is_begun
  ) AS a
  WHERE a.id IS NOT NULL AND a.execution_id = ANY (v_own);
  INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
  SELECT p_bucket, a.account_id, a.origin, a.is_begun IS TRUE,
    CASE WHEN a.is_begun THEN v_now + a.lease_millis * interval '1 millisecond' ELSE a.at END, a.id,
    CASE WHEN a.is_begun THEN a.dispatcher_id END
  FROM (
    SELECT unnest(p_account_id) AS account_id, unnest(p_id) AS id, unnest(p_execution_id) AS execution_id,
      unnest(p_origin) AS origin, unnest(p_at) AS at, unnest(p_dispatcher_id) AS dispatcher_id,
      unnest(p_lease_millis) AS lease_millis, unnest(v_begun) AS is_begun
  ) AS a
  WHERE a.id IS NOT NULL AND a.execution_id = ANY (v_own);

  RETURN QUERY
  SELECT a.place::integer, CASE WHEN a.is_begun THEN v_now::timestamptz END, a.behind
  FROM unnest(p_execution_id, v_begun, v_behind) WITH ORDINALITY AS a (execution_id, is_begun, behind, place)
  WHERE a.execution_id = ANY (v_own);
END $$;
