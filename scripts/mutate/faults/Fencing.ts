/** Faults that would let a runner write that has lost its lease. */
import type { Fault, NamedTest } from "../Fault.ts"

const suite = "packages/store-testing/src/runs/FencingSuite.ts"
const write = "lets a runner under a stale epoch change nothing while another lease is held"

const inMemory = (ending: string, title = write): NamedTest => ({
  file: "packages/store-memory/test/MemoryStore.test.ts",
  suite,
  title,
  ending
})
const inPostgres = (ending: string, title = write): NamedTest => ({
  file: "packages/store-pg/test/PgStore.test.ts",
  suite,
  title,
  ending
})

const leasing = "packages/core/src/domain/run/LeaseMoves.ts"

export const fencing: ReadonlyArray<Fault> = [
  {
    name: "fencing-lease",
    idea: "whoever names the execution holds its lease, whatever its epoch",
    file: leasing,
    before: "run.lease !== null && run.lease.epoch === epoch ? Result",
    after: "run.lease !== null ? Result",
    test: inMemory(": complete")
  },
  {
    name: "fencing-start",
    idea: "a start under a stale epoch starts what another has claimed",
    file: leasing,
    before: "Result.map(leaseHeld(run, options.epoch), (held) => {",
    after: "Result.map(leaseHeld(run, run.execution.epoch), (held) => {",
    test: inMemory(": start")
  },
  {
    name: "fencing-give-back",
    idea: "a stale runner gives back what another has claimed",
    file: leasing,
    before: "Result.flatMap(leaseHeld(run, options.epoch), () => {",
    after: "Result.flatMap(leaseHeld(run, run.execution.epoch), () => {",
    test: inMemory(": give back")
  },
  {
    name: "fencing-beat",
    idea: "a beat under a stale epoch extends the lease of another claim",
    file: leasing,
    before: "held.epoch !== epoch || held.sessionId !== sessionId",
    after: "held.sessionId !== sessionId",
    test: inMemory("the same session, started", "extends no lease for a beat under a stale epoch")
  },
  {
    name: "fencing-finish",
    idea: "a stale runner ends the attempt of another",
    file: "packages/core/src/domain/run/EndMoves.ts",
    before: "Result.flatMap(leaseHeld(run, epoch), () => {",
    after: "Result.flatMap(leaseHeld(run, run.execution.epoch), () => {",
    test: inMemory(": complete")
  },
  {
    name: "fencing-ask",
    idea: "a stale runner asks in the name of another",
    file: "packages/core/src/domain/run/InputMoves.ts",
    before: "return Result.flatMap(leaseHeld(run, epoch), () => {",
    after: "return Result.flatMap(leaseHeld(run, run.execution.epoch), () => {",
    test: inMemory(": ask and hold on")
  },
  {
    name: "fencing-asked-before",
    idea: "a stale runner is told the question that another has asked",
    file: "packages/core/src/domain/run/InputMoves.ts",
    before: "const asked = run.attemptEpoch === epoch ? questionOf(run, input) : undefined",
    after: "const asked = questionOf(run, input)",
    test: inMemory(": ask and hold on")
  },
  {
    name: "fencing-artifacts",
    idea: "a stale runner adds artifacts to the attempt of another",
    file: "packages/core/src/domain/artifact/Artifact.ts",
    before: "  attemptEpoch === options.epoch &&\n",
    after: "  attemptEpoch !== null &&\n",
    test: inMemory(": register an artifact")
  },
  {
    name: "fencing-artifact-shown",
    idea: "a stale runner shows the artifact of another to callers",
    file: "packages/store-memory/src/artifacts/MemoryArtifactStore.ts",
    before: "if (artifact.epoch !== epoch || !acceptsArtifacts(run, { epoch, finalizeMs, at })) {",
    after: "if (!acceptsArtifacts(run, { epoch: artifact.epoch, finalizeMs, at })) {",
    test: inMemory(": show the artifact of the attempt that is under way")
  },
  {
    name: "fencing-leave",
    idea: "a session that ends takes from another what that one holds",
    file: "packages/store-memory/src/runs/MemoryRunStore.ts",
    before: "  ...tables.runs.index.leasedOfSession.of(session.id)",
    after: "  ...tables.runs.index.ofAccount.of(session.accountId)",
    test: inMemory(
      "another session, claimed",
      "takes nothing from a holder when the session that lost it ends"
    )
  },
  {
    name: "fencing-claim-repeated",
    idea: "a repeated claim answers what was claimed anew since",
    file: "packages/store-memory/src/runs/MemoryRunStore.ts",
    before: "(run) => run.lease?.claimId === claimId && isLeaseLive(run, at)",
    after: "(run) => isLeaseLive(run, at)",
    test: inMemory("the same session, claimed", "answers no claim of before with what is held anew")
  },
  {
    name: "fencing-lease-pg",
    idea: "whoever names the execution holds its lease, whatever its epoch",
    file: leasing,
    before: "run.lease !== null && run.lease.epoch === epoch ? Result",
    after: "run.lease !== null ? Result",
    test: inPostgres(": fail")
  },
  {
    name: "fencing-start-pg",
    idea: "a start under a stale epoch starts what another has claimed",
    file: leasing,
    before: "Result.map(leaseHeld(run, options.epoch), (held) => {",
    after: "Result.map(leaseHeld(run, run.execution.epoch), (held) => {",
    test: inPostgres(": start")
  },
  {
    name: "fencing-beat-pg",
    idea: "a beat extends a lease that another session has taken since it was read",
    file: "packages/store-pg/src/moves/ExtendLeases.ts",
    before: " AND e.revision = a.revision",
    after: "",
    test: {
      file: "packages/store-pg/test/runs/Heartbeats.test.ts",
      title: "extends no lease of a run that was moved since it was read"
    }
  },
  {
    name: "fencing-beat-session",
    idea: "a beat extends the lease of another session",
    file: leasing,
    before: "held.epoch !== epoch || held.sessionId !== sessionId",
    after: "held.epoch !== epoch",
    test: {
      file: "packages/store-memory/test/MemoryStore.test.ts",
      suite: "packages/store-testing/src/runs/BeatSuite.ts",
      title: "extends no lease of another session"
    }
  },
  {
    name: "fencing-artifacts-pg",
    idea: "a stale runner adds artifacts to the attempt of another",
    file: "packages/store-pg/src/artifacts/PgArtifactStore.ts",
    before: "AND e.attempt_epoch = ${integer(epoch)}",
    after: "AND ${integer(epoch)} IS NOT NULL",
    test: inPostgres(": register an artifact")
  },
  {
    name: "fencing-artifact-shown-pg",
    idea: "an artifact of an earlier attempt is shown under the epoch of a later one",
    file: "packages/store-pg/src/artifacts/PgArtifactStore.ts",
    before: " AND a.epoch = ${integer(epoch)}\n",
    after: "\n",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/artifacts/ArtifactStoreSuite.ts",
      title: "takes no artifact of an earlier attempt under the epoch of a later one"
    }
  }
]
