import { assert, describe, it } from "vitest"
import { InvalidParamsError } from "../../src/Errors.ts"
import { Reports } from "../../src/runner/Reports.ts"

const leaseOf = (id: number) => ({ execution_id: `e-${id}`, epoch: 1 })
const { signal } = new AbortController()
const completed = { outcome: "completed" } as const
const accepted = { ...leaseOf(1), accepted: true, status: "completed" } as const
const refusal = (http_status: number, code: string) =>
  ({
    ...leaseOf(1),
    accepted: false,
    http_status,
    error: { code, message: "no", details: null, request_id: "req_1" }
  }) as const

/** Outcomes of so many bytes each, waiting. */
const waiting = (sizes: ReadonlyArray<number>) => {
  const reports = new Reports()
  const told = sizes.map((size, id) =>
    reports.add(leaseOf(id), { ...completed, result: { text: "x".repeat(size) } }, signal)
  )
  return { reports, told }
}

describe("outcomes that wait for a claim", () => {
  it("go with it as far as there is room, the oldest first", () => {
    const { reports } = waiting([20_000, 20_000, 20_000, 100])

    const taken = [reports.take(), reports.take(), reports.take()]

    assert.deepStrictEqual(
      taken.map((each) => each.map(({ lease }) => lease.execution_id)),
      [["e-0", "e-1"], ["e-2", "e-3"], []]
    )
  })

  it("go by themselves when they are too large for any", () => {
    const { reports, told } = waiting([49_153])

    assert.deepStrictEqual(told, [undefined])
    assert.isEmpty(reports.take())
  })

  it("wait no longer when their work is given up", async () => {
    const reports = new Reports()
    const work = new AbortController()
    const told = reports.add(leaseOf(1), completed, work.signal)

    work.abort(new Error("given up"))

    const reason: unknown = await told?.catch((cause: unknown) => cause)
    assert.strictEqual(String(reason), "Error: given up")
    assert.isEmpty(reports.take())
  })

  it.each([
    { what: "taken", answer: accepted, told: accepted },
    { what: "not answered", answer: undefined, told: undefined },
    { what: "refused for now", answer: refusal(429, "rate_limited"), told: undefined },
    { what: "not stored by a fault", answer: refusal(503, "internal_error"), told: undefined }
  ])("are told or not by the answer, when they were $what", async ({ answer, told }) => {
    const reports = new Reports()
    const reported = reports.add(leaseOf(1), completed, signal)
    for (const report of reports.take()) report.settle(answer)

    assert.strictEqual(await reported, told)
  })

  it("are refused with the error that a call for one would give", async () => {
    const reports = new Reports()
    const reported = reports.add(leaseOf(1), completed, signal)
    for (const report of reports.take()) report.settle(refusal(422, "invalid_params"))

    const error: unknown = await reported?.catch((cause: unknown) => cause)

    assert.instanceOf(error, InvalidParamsError)
    assert.deepStrictEqual([error.status, error.requestId], [422, "req_1"])
  })
})
