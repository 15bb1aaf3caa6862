-- Adds an artifact, if its execution may have it, and counts it for the execution and the account.
--
-- Answers the artifact and the bytes of its account, including this artifact.
-- Locks the execution, then the count of the account's bytes.
-- May be missing: if the attempt may not write artifacts now, or the execution has as many as it may have, or the same
--   capture already.
CREATE OR REPLACE FUNCTION register_artifact(
  p_bucket smallint, p_account_id uuid, p_execution_id uuid, p_id uuid, p_epoch integer, p_kind text, p_file_name text,
  p_content_type text, p_size_bytes bigint, p_sha256 text, p_storage_key text, p_is_ready boolean, p_platform_id uuid,
  p_handler text, p_started_offset_ms bigint, p_created_at timestamptz, p_capture text, p_now timestamptz,
  p_awaited_ms float8, p_finalize_ms float8, p_count_max integer
) RETURNS TABLE (
  id uuid, account_id uuid, execution_id uuid, epoch integer, kind text, file_name text, content_type text,
  size_bytes float8, sha256 text, storage_key text, is_ready boolean, platform_id uuid, handler text,
  started_offset_ms float8, created_at timestamptz, used_bytes float8
)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now constant timestamptz(3) := coalesce(p_now, statement_timestamp());
  v_awaited_until constant timestamptz(3) := v_now + p_awaited_ms * interval '1 millisecond';
  v_stopped_since constant timestamptz(3) := v_now - p_finalize_ms * interval '1 millisecond';
  v_capture constant uuid := md5(p_capture)::uuid;
  v_count smallint;
  v_used_bytes float8;
BEGIN
  SELECT e.artifact_count INTO v_count
  FROM executions e
  WHERE e.bucket = p_bucket AND e.id = p_execution_id AND e.account_id = p_account_id AND e.attempt_epoch = p_epoch
    AND (e.stopped_at IS NULL OR e.stopped_at >= v_stopped_since)
  FOR UPDATE;
  IF NOT FOUND OR v_count >= p_count_max THEN
    RETURN;
  END IF;

  INSERT INTO artifacts (bucket, account_id, execution_id, id, epoch, kind, file_name, content_type, size_bytes, sha256,
    storage_key, is_ready, platform_id, handler, started_offset_ms, created_at, capture, awaited_until)
  VALUES (p_bucket, p_account_id, p_execution_id, p_id, p_epoch, p_kind, p_file_name, p_content_type, p_size_bytes, p_sha256,
    p_storage_key, p_is_ready, p_platform_id, p_handler, p_started_offset_ms, p_created_at, v_capture, v_awaited_until)
  ON CONFLICT (bucket, execution_id, capture) DO NOTHING;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  UPDATE executions e SET artifact_count = e.artifact_count + 1 WHERE e.bucket = p_bucket AND e.id = p_execution_id;
  INSERT INTO artifact_usage AS u (bucket, account_id, bytes)
  VALUES (p_bucket, p_account_id, p_size_bytes)
  ON CONFLICT (bucket, account_id) DO UPDATE SET bytes = u.bytes + excluded.bytes
  RETURNING u.bytes INTO v_used_bytes;

  RETURN QUERY
  SELECT a.id, a.account_id, a.execution_id, a.epoch, a.kind, a.file_name, a.content_type, a.size_bytes::float8, a.sha256,
    a.storage_key, a.is_ready, a.platform_id, a.handler, a.started_offset_ms::float8, a.created_at::timestamptz, v_used_bytes
  FROM artifacts a
  WHERE a.bucket = p_bucket AND a.execution_id = p_execution_id AND a.id = p_id;
END $$;
