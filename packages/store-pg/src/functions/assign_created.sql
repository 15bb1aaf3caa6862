-- Gives an execution that was just created to the session that waits for it, if that is open and may have it, and
-- nothing that is due goes first for the agent.
--
-- Answers the slot that it got; null where it has to wait.
-- Locks a free slot of the agent. One that another statement has locked is passed by, as in a claim.
-- p_taken_… and p_timeout_millis say what it is then: `assign` of the core has answered it. Moments are told by their
--   distance from p_now.
CREATE OR REPLACE FUNCTION assign_created(
  p_bucket smallint, p_now timestamptz, p_account_id uuid, p_id uuid, p_agent_id uuid, p_priority smallint,
  p_expires_at timestamptz, p_created_at timestamptz, p_session_id uuid, p_claim_id text, p_taken_status text,
  p_taken_attempt smallint, p_taken_revision integer, p_taken_millis float8, p_timeout_millis float8
) RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  v_at constant timestamptz(3) := greatest(p_now, p_created_at);
  v_slot integer;
BEGIN
  IF p_expires_at <= p_now THEN RETURN NULL; END IF;

  PERFORM FROM runner_sessions s
  WHERE s.bucket = p_bucket AND s.account_id = p_account_id AND s.id = p_session_id
    AND NOT s.is_draining AND s.drain_requested_at IS NULL
    AND (s.agent_ids IS NULL OR p_agent_id = ANY (s.agent_ids));
  IF NOT FOUND THEN RETURN NULL; END IF;

  PERFORM FROM agents a
  WHERE a.bucket = p_bucket AND a.account_id = p_account_id AND a.id = p_agent_id AND a.state = 'active';
  IF NOT FOUND THEN RETURN NULL; END IF;

  PERFORM FROM ready_queue q
  WHERE q.bucket = p_bucket AND q.agent_id = p_agent_id AND (q.rank, q.due_at) <= (-p_priority, p_now)
  LIMIT 1;
  IF FOUND THEN RETURN NULL; END IF;

  PERFORM FROM delayed_queue q
  WHERE q.bucket = p_bucket AND q.agent_id = p_agent_id AND q.due_at <= p_now
  LIMIT 1;
  IF FOUND THEN RETURN NULL; END IF;

  SELECT s.slot INTO v_slot
  FROM agent_slots s
  WHERE s.bucket = p_bucket AND s.agent_id = p_agent_id AND s.execution_id IS NULL AND NOT s.is_surplus
  ORDER BY s.slot
  LIMIT 1
  FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;

  UPDATE agent_slots s SET execution_id = p_id, session_id = p_session_id
  WHERE s.bucket = p_bucket AND s.agent_id = p_agent_id AND s.slot = v_slot;

  UPDATE executions e
  SET status = p_taken_status, attempt = p_taken_attempt, revision = p_taken_revision, epoch = 1, attempt_epoch = 1,
    updated_at = v_at, lease_expires_at = p_now + p_taken_millis * interval '1 millisecond',
    started_at = CASE WHEN p_taken_attempt > 0 THEN v_at END,
    deadline_at = p_now + p_timeout_millis * interval '1 millisecond',
    start_by = CASE WHEN p_taken_attempt = 0 THEN p_expires_at END,
    slot = v_slot, session_id = p_session_id, claim_id = p_claim_id
  WHERE e.bucket = p_bucket AND e.id = p_id;

  INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
  VALUES (p_bucket, p_id, 2, 'claimed', 'queued', 0, 1, v_at);
  IF p_taken_attempt > 0 THEN
    INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
    VALUES (p_bucket, p_id, 3, 'started', 'running', 1, 1, v_at);
  END IF;
  RETURN v_slot;
END $$;
