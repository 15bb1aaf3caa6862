/** What callers need beside a single execution, in one story, in which nobody writes a cron job, a poll loop or a tunnel. */
import { assert, describe, it } from "@effect/vitest"
import { EvidenceRejectedError, verifyEvidence } from "@runhook/sdk/evidence"
import * as Effect from "effect/Effect"
import { openMachine, firstMachine } from "./Machines.ts"
import { forged, reasonOf, textsIn } from "./Proofs.ts"
import { hearsQuestion, makeInbox, makeService, type Service } from "./Service.ts"

const invoices = "number,amount\n1,19.90\n2,7.50\n"

describe("a night in which much goes wrong", () => {
  it.live("ends with the right result, known to whoever had to know, and proven", () =>
    Effect.flatMap(makeService(), (service) => Effect.promise(() => theNight(service)))
  )
})

const theNight = async (service: Service) => {
  const { agent_id, task_id } = service
  const { executions, schedules } = service.runhook
  const request = { agent_id, task_id, params: { supplier: "Kestrel" } }
  const inbox = await makeInbox(service)
  await using first = firstMachine(service)

  // The schedule fires, and its execution asks for the code that the supplier sends. The caller mistypes it once.
  const timing = { every_seconds: 1, overlap: "skip" } as const
  const schedule = await schedules.create({ name: "Again and again", ...timing, execution: request })
  const id = await inbox.hears("execution.queued")
  await schedules.update(schedule.id, { enabled: false })
  const question = await hearsQuestion(service, id)
  const mistyped = await reasonOf(executions.answer(question, { value: "twelve" }))
  await executions.answer(question, { value: "123456" })

  // The first machine loses its power in the middle of the work. A second one goes on from the checkpoint, and its
  // result is refused until it is what the task promises.
  const said = await first.says()
  await first.losePower()
  await first.comesBack()
  const second = await openMachine(service, "second machine")
  const again = await second.start()
  await second.capture(again, invoices, { file_name: "invoices.csv", content_type: "text/csv" })
  const refused = await reasonOf(second.complete(again, { invoices: "two" }))
  await second.complete(again, { invoices: 2 })
  await inbox.hears("execution.completed")

  // The caller signs in by itself, with a password that only the runner may see. A schedule would not take it.
  const password = "correct-horse-battery-staple"
  const secretRequest = { ...request, params: { supplier: "Kestrel", password } }
  const unkept = await reasonOf(
    schedules.create({ name: "In the open", ...timing, execution: secretRequest })
  )
  const created = await executions.create(secretRequest)
  const signIn = await second.start()
  await second.complete(signIn, { invoices: 0 })
  await inbox.hears("execution.completed")

  // Everybody knows what they had to know.
  const done = await executions.get(id)
  assert.deepStrictEqual([done.status, done.result, done.attempt], ["completed", { invoices: 2 }, 2])
  const ofSchedule = await executions.list({ schedule_id: schedule.id }).toArray({ limit: 9 })
  assert.deepStrictEqual(
    ofSchedule.map((each) => each.id),
    [id]
  )
  assert.match(String(mistyped), /answer.*pattern/)
  assert.deepStrictEqual([said, again.attempt, again.checkpoint], ["seven pages read", 2, { page: 7 }])
  assert.match(String(refused), /^Error: 422 .*"invalid_params".*invoices/)
  // Each type is told once, whatever was tried again.
  const told = ["execution.queued", "execution.started", "execution.completed"]
  assert.deepStrictEqual([id, created.execution_id].map(inbox.typesOf), [told, told])

  // The file is the one that the work captured: of another, even by one byte, the evidence says so.
  const { evidence } = await executions.evidence(id)
  const bytes = await service.bytesOf(done.downloads[0])
  const shown = { jwks: await service.keySet(), params: request.params, result: { invoices: 2 } }
  const { manifest, unchecked } = await verifyEvidence(evidence, {
    ...shown,
    files: { "invoices.csv": bytes }
  })
  const forgery = await reasonOf(
    verifyEvidence(evidence, { ...shown, files: { "invoices.csv": forged(bytes) } })
  )
  assert.strictEqual(new TextDecoder().decode(bytes), invoices)
  assert.deepStrictEqual([manifest.attempts, manifest.schedule_id, unchecked], [2, schedule.id, []])
  assert.deepStrictEqual(
    manifest.history.map(({ type }) => type),
    (await executions.events(id)).data.map(({ type }) => type)
  )
  assert.instanceOf(forgery, EvidenceRejectedError)
  assert.deepInclude(forgery.mismatches[0], { what: "invoices.csv", problem: "sha256" })

  // The password was in the runner's hands, and is nowhere else.
  const places = {
    answers: [
      created,
      await executions.get(created.execution_id),
      await executions.list().toArray({ limit: 9 })
    ].map((answer) => JSON.stringify(answer)),
    callbacks: inbox.texts,
    evidence: textsIn((await executions.evidence(created.execution_id)).evidence),
    log: [service.log()],
    rows: await service.rows()
  }
  assert.strictEqual(signIn.params["password"], password)
  assert.match(String(unkept), /params\.password/)
  assert.isTrue(places.rows.some((row) => row.includes("[secret]")))
  for (const [place, texts] of Object.entries(places)) {
    assert.isAbove(texts.join("").length, 0, place)
    assert.isFalse(
      texts.some((text) => text.includes(password)),
      place
    )
  }
}
