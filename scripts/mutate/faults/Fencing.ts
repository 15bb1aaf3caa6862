/** Faults that would let a runner or dispatcher write after losing its lease. */
import { type Fault, inStore } from "../Fault.ts"

export const fencing: ReadonlyArray<Fault> = [
  {
    name: "fencing-lease",
    idea: "a runner that names the execution holds its lease, whatever its epoch",
    file: "packages/core/src/runs/LeaseMoves.ts",
    before: "run.lease !== null && run.lease.epoch === epoch ? Result",
    after: "run.lease !== null ? Result",
    test: inStore(
      "memory",
      "runs/FencingSuite",
      "lets a runner under a stale epoch change nothing while another lease is held",
      ": complete"
    )
  },
  {
    name: "fencing-start-pg",
    idea: "a start under a stale epoch starts what another has claimed",
    file: "packages/core/src/runs/LeaseMoves.ts",
    before: "Result.map(leaseHeld(run, options.epoch), (held) => {",
    after: "Result.map(leaseHeld(run, run.execution.epoch), (held) => {",
    test: inStore(
      "pg",
      "runs/FencingSuite",
      "lets a runner under a stale epoch change nothing while another lease is held",
      ": start"
    )
  },
  {
    name: "fencing-beat",
    idea: "a beat under a stale epoch extends the lease of another claim",
    file: "packages/core/src/runs/LeaseMoves.ts",
    before: "held.epoch !== epoch || held.sessionId !== sessionId",
    after: "held.sessionId !== sessionId",
    test: inStore(
      "memory",
      "runs/FencingSuite",
      "extends no lease for a beat under a stale epoch",
      "the same session, started"
    )
  },
  {
    name: "fencing-beat-pg",
    idea: "a beat extends a lease that another session has taken since it was read",
    file: "packages/store-pg/src/runs/moves/ExtendLeases.ts",
    before: " AND e.revision = a.revision",
    after: "",
    test: {
      file: "packages/store-pg/test/runs/Heartbeats.test.ts",
      title: "extends no lease of a run that was moved since it was read"
    }
  },
  {
    name: "fencing-asked-before",
    idea: "a stale runner is told the question that another has asked",
    file: "packages/core/src/runs/InputMoves.ts",
    before: "const asked = run.attemptEpoch === epoch ? questionOf(run, input) : undefined",
    after: "const asked = questionOf(run, input)",
    test: inStore(
      "memory",
      "runs/FencingSuite",
      "lets a runner under a stale epoch change nothing while another lease is held",
      ": ask and hold on"
    )
  },
  {
    name: "fencing-artifacts-pg",
    idea: "a stale runner adds artifacts to the attempt of another",
    file: "packages/store-pg/src/functions/register_artifact.sql",
    before: "AND e.attempt_epoch = p_epoch",
    after: "AND p_epoch IS NOT NULL",
    test: inStore(
      "pg",
      "runs/FencingSuite",
      "lets a runner under a stale epoch change nothing while another lease is held",
      ": register an artifact"
    )
  },
  {
    name: "fencing-leave",
    idea: "a session that ends takes from another what that one holds",
    file: "packages/store-memory/src/runs/MemoryRunStore.ts",
    before: "  ...tables.runs.index.leasedOfSession.of(session.id)",
    after: "  ...tables.runs.index.ofAccount.of(session.accountId)",
    test: inStore(
      "memory",
      "runs/FencingSuite",
      "takes nothing from a holder when the session that lost it ends",
      "another session, claimed"
    )
  },
  {
    name: "fencing-claim-repeated",
    idea: "a repeated claim answers what was claimed again since",
    file: "packages/store-memory/src/runs/MemoryRunStore.ts",
    before: "(run) => run.lease?.claimId === claimId && isLeaseLive(run, at)",
    after: "(run) => isLeaseLive(run, at)",
    test: inStore(
      "memory",
      "runs/FencingSuite",
      "answers no claim of before with what is held anew",
      "the same session, claimed"
    )
  },
  {
    name: "settle-stale-pg",
    idea: "a dispatcher whose lease another one has says how the delivery ended",
    file: "packages/store-pg/src/functions/move_deliveries.sql",
    before:
      " AND d.attempts = p_attempts_before[1] AND d.next_attempt_at IS NOT DISTINCT FROM p_due_before[1];",
    after: ";",
    test: inStore(
      "pg",
      "deliveries/DeliverySettleSuite",
      "changes nothing by the settlement of a worker whose lease another one has"
    )
  }
]
