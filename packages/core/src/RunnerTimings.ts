/** The durations a runner lives by. They come from the service, so that runners never compare clocks. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

export const RunnerTimings = Context.Reference("@runhook/core/RunnerTimings", {
  defaultValue: () => ({
    /** Longest wait of one poll for work. */
    pollWait: Duration.seconds(25),
    /** How long a lease lives without a sign of its runner. */
    lease: Duration.seconds(60),
    /** How often a runner should give a sign. */
    heartbeat: Duration.seconds(15),
    /** How long claimed work may wait to be started. */
    startDeadline: Duration.seconds(60),
    /** How long a runner has to obey a cancel before it is expected to drop the work. */
    cancelGrace: Duration.seconds(30),
    /** How long after its end an attempt may still deliver artifacts. */
    finalize: Duration.minutes(5),
    /** Largest artifact: 512 MiB. */
    maxArtifactBytes: 536_870_912
  })
})
