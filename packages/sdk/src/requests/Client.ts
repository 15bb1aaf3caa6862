/** What a client does with requests. Calls are described once, for the promise client and the Effect client. */
import type { ExecutionsCreated, Page } from "../wire/Integration.ts"
import type { Follow, Numbered } from "./Follow.ts"
import type { Batch, MakeAndWait, Messages, Request, Wait } from "./Request.ts"

/**
 * The types of a client. `A` stands for what a call is answered: a client says
 * `call: Promise<this["A"]>`, and `Made` puts the answer of each call in its place.
 */
export interface ClientTypes {
  readonly A: unknown
  readonly call: unknown
  readonly list: unknown
  readonly wait: unknown
  readonly follow: unknown
  readonly file: unknown
  readonly messages: unknown
  /** The options of a single call. */
  readonly options: object
  /** The options of a wait: no limit of attempts. */
  readonly waitOptions: object
}

export type Made<T extends ClientTypes, Kind extends "call" | "follow" | "list" | "wait", A> = (T & {
  readonly A: A
})[Kind]

/** What the clients of all APIs can do. */
export interface Client<T extends ClientTypes> {
  /** One request, and its answer. */
  call<A>(request: Request<A, T["options"]>): Made<T, "call", A>
  /** All items of a list, from its first page on. */
  list<Item>(firstPage: Request<Page<Item>, T["options"]>): Made<T, "list", Item>
  /** A request that is answered without a body. */
  nothing(request: Request<unknown, T["options"]>): Made<T, "call", void>
  /** The bytes of an answer, as they arrive. */
  file(request: Request<unknown, T["options"]>): T["file"]
}

/** For clients that queue executions and wait for them. */
export interface IntegrationClient<T extends ClientTypes> extends Client<T> {
  wait<A>(wait: Wait<A, T["waitOptions"]>): Made<T, "wait", A>
  makeAndWait<Thing, A>(making: MakeAndWait<Thing, A, T["waitOptions"]>): Made<T, "wait", A>
  /** Sends items, and those again that were refused for now. */
  batch<Item>(batch: Batch<Item, T["options"]>): Made<T, "call", ExecutionsCreated>
  /** The items of a log as they come, until the last. */
  follow<Item extends Numbered>(following: Follow<Item, T["options"]>): Made<T, "follow", Item>
  /** Messages without an end, each acknowledged once the next is asked for. */
  messages(reading: Messages<T["waitOptions"]>): T["messages"]
  /** The address of something below the root of the API. */
  link(path: string): string
}

/** For operators, who also read tables. */
export interface AdminClient<T extends ClientTypes> extends Client<T> {
  text(request: Request<unknown, T["options"]>): Made<T, "call", string>
}
