/** Calls of executions. */
import * as Stream from "effect/Stream"
import { root, type Ways } from "./Ways.ts"
import type { Everything } from "./Everything.ts"

/** By endpoint of the contract. */
export const executionWays = ({
  asking,
  done,
  file,
  held,
  job,
  queued,
  request,
  runhook,
  waiting
}: Everything): Readonly<Record<string, () => Ways>> => ({
  "POST /executions": () => ({
    client: () => runhook.executions.create(request, { idempotencyKey: "the-same" }),
    effect: ({ executions }) => executions.create(request, { idempotencyKey: "the-same" }),
    python: "executions.create(**vars(request), idempotency_key='the-same')",
    raw: { path: `${root}/executions`, body: request, headers: { "idempotency-key": "the-same" } }
  }),
  "POST /executions/cancel": () => {
    const filter = { reference: "nothing" }
    const options = { idempotencyKey: "the-same", reason: "Enough" }
    return {
      client: () => runhook.executions.cancelAll(filter, options),
      effect: ({ executions }) => executions.cancelAll(filter, options),
      python: "executions.cancel_all(reference='nothing', reason='Enough', idempotency_key='the-same')",
      raw: {
        path: `${root}/executions/cancel`,
        body: { filter, reason: "Enough" },
        headers: { "idempotency-key": "the-same" }
      }
    }
  },
  "GET /executions/jobs/:id": () => ({
    client: () => runhook.executions.jobs.get(job),
    effect: ({ executions }) => executions.jobs.waitFor(job),
    python: "executions.jobs.wait_for(job)",
    raw: { path: `${root}/executions/jobs/${job}` }
  }),
  "POST /executions/jobs/:id/cancel": () => ({
    client: () => runhook.executions.jobs.cancel(job),
    effect: ({ executions }) => executions.jobs.cancel(job),
    python: "executions.jobs.cancel(job)",
    raw: { method: "POST", path: `${root}/executions/jobs/${job}/cancel` }
  }),
  "POST /executions/batch": () => {
    const items = [{ ...request, idempotency_key: "of-many" }]
    return {
      client: () => runhook.executions.createBatch(items),
      effect: ({ executions }) => executions.createBatch(items),
      python: "executions.create_batch([{**vars(request), 'idempotency_key': 'of-many'}])",
      raw: { path: `${root}/executions/batch`, body: { items } },
      // The first request creates it.
      own: ["data"]
    }
  },
  "GET /executions": () => ({
    client: () => runhook.executions.list({ reference: "order-1", status: "queued" }).page(),
    effect: ({ executions }) => executions.page({ reference: "order-1", status: "queued" }),
    python: "executions.list(reference='order-1', status='queued').page()",
    raw: { path: `${root}/executions?reference=order-1&status=queued` }
  }),
  "GET /executions/:id": () => ({
    client: () => runhook.executions.get(done, { wait: 1 }),
    effect: ({ executions }) => executions.get(done, { wait: 1 }),
    python: "executions.get(done, wait=1)",
    raw: { path: `${root}/executions/${done}?wait=1` }
  }),
  "POST /executions/:id/cancel": () => ({
    client: () => runhook.executions.cancel(queued, { reason: "enough" }),
    effect: ({ executions }) => executions.cancel(queued, { reason: "enough" }),
    python: "executions.cancel(queued, reason='enough')",
    raw: { path: `${root}/executions/${queued}/cancel`, body: { reason: "enough" } }
  }),
  "POST /executions/:id/release": () => ({
    client: () => runhook.executions.release(held),
    effect: ({ executions }) => executions.release(held),
    python: "executions.release(held)",
    raw: { method: "POST", path: `${root}/executions/${held}/release` }
  }),
  "POST /executions/:id/rerun": () => ({
    client: () => runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    effect: ({ executions }) =>
      executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    python: "executions.rerun(done, params={'copies': 3}, idempotency_key='again')",
    raw: {
      path: `${root}/executions/${done}/rerun`,
      body: { params: { copies: 3 } },
      headers: { "idempotency-key": "again" }
    }
  }),
  "PATCH /executions/:id": () => ({
    client: () => runhook.executions.reschedule(waiting, { priority: 7 }),
    effect: ({ executions }) => executions.reschedule(waiting, { priority: 7 }),
    python: "executions.reschedule(waiting, priority=7)",
    raw: { method: "PATCH", path: `${root}/executions/${waiting}`, body: { priority: 7 } }
  }),
  "GET /executions/:id/events": () => ({
    client: () => runhook.executions.events(done, { after: 1, limit: 2, wait: 1 }),
    effect: ({ executions }) => executions.events(done, { after: 1, limit: 2, wait: 1 }),
    python: "executions.events(done, after=1, limit=2, wait=1)",
    raw: { path: `${root}/executions/${done}/events?after=1&limit=2&wait=1` }
  }),
  "GET /executions/:id/logs": () => ({
    client: () => runhook.executions.logs(done, { after: 1, wait: 1 }),
    effect: ({ executions }) => executions.logs(done, { after: 1, wait: 1 }),
    python: "executions.logs(done, after=1, wait=1)",
    raw: { path: `${root}/executions/${done}/logs?after=1&wait=1` }
  }),
  "GET /executions/:id/explain": () => ({
    client: () => runhook.executions.explain(done),
    effect: ({ executions }) => executions.explain(done),
    python: "executions.explain(done)",
    raw: { path: `${root}/executions/${done}/explain` }
  }),
  "GET /executions/:id/evidence": () => ({
    client: () => runhook.executions.evidence(done),
    effect: ({ executions }) => executions.evidence(done),
    python: "executions.evidence(done)",
    raw: { path: `${root}/executions/${done}/evidence` }
  }),
  "GET /executions/:id/artifacts": () => ({
    client: () => runhook.executions.artifacts(done),
    effect: ({ executions }) => executions.artifacts(done),
    python: "executions.artifacts(done)",
    raw: { path: `${root}/executions/${done}/artifacts` }
  }),
  "GET /executions/:id/files/:fileId": () => ({
    client: () => runhook.files.download(file).then((answer) => answer.text()),
    effect: ({ files }) => files.download(file).pipe(Stream.decodeText, Stream.mkString),
    python: "files.download(file)",
    raw: { path: `${root}/executions/${done}/files/${file.id}` }
  }),
  "GET /executions/:id/inputs": () => ({
    client: () => runhook.executions.inputs(asking.execution_id),
    effect: ({ executions }) => executions.inputs(asking.execution_id),
    python: "executions.inputs(asking.execution_id)",
    raw: { path: `${root}/executions/${asking.execution_id}/inputs` }
  }),
  "POST /executions/:id/inputs/:inputId": () => ({
    client: () => runhook.executions.answer(asking, { value: "1234" }),
    effect: ({ executions }) => executions.answer(asking, { value: "1234" }),
    python: "executions.answer(asking.execution_id, asking.input_id, '1234')",
    raw: {
      path: `${root}/executions/${asking.execution_id}/inputs/${asking.input_id}`,
      body: { value: "1234" }
    }
  })
})
