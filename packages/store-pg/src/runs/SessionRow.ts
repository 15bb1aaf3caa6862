/** Sessions of runners as their rows hold them. */
import { RunnerSession } from "@runhook/core/domain/run/RunnerSession"
import { rowTable } from "../rows/RowTable.ts"

/** Of a row of `runner_sessions`. */
export const ofSession = {
  id: "id",
  accountId: "account_id",
  runnerKeyId: "runner_key_id",
  instanceId: "instance_id",
  runnerName: "runner_name",
  version: "version",
  agentIds: "agent_ids",
  capacity: "capacity",
  labels: "labels",
  isDraining: "is_draining",
  drainRequestedAt: "drain_requested_at",
  createdAt: "created_at",
  lastSeenAt: "last_seen_at"
}

export const sessionTable = rowTable(ofSession, RunnerSession)
