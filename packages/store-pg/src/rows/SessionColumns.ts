/** The columns of a session of a runner. */
export const sessionColumns = `
  id, account_id AS "accountId", runner_key_id AS "runnerKeyId", instance_id AS "instanceId",
  runner_name AS "runnerName", version, agent_ids AS "agentIds", capacity, labels,
  is_draining AS "isDraining", drain_requested_at AS "drainRequestedAt", created_at AS "createdAt", last_seen_at AS "lastSeenAt"`
