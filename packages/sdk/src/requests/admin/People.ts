/** The people of an account: sign-in links and sessions. */
import type { ConsoleLink, ConsoleLinkCreated, ConsoleSession, CreateConsoleLink } from "../../wire/Admin.ts"
import type { PageQuery } from "../../wire/Integration.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { list, pathOf, post, remove } from "../Describe.ts"

export const consoleLinks = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a link that signs one person in, once. Its answer alone has it.
   *
   * @example
   * ```ts
   * const { url } = await account.consoleLinks.create({ role: "viewer", name: "Ada Lovelace" })
   * ```
   */
  create: (body?: CreateConsoleLink, options?: T["options"]) =>
    client.call<ConsoleLinkCreated>(post("/console-links", body, options)),

  /**
   * The links of the account with their state, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, state } of account.consoleLinks.list()) console.log(name, state)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ConsoleLink>(list("/console-links", filter, options)),

  /**
   * Withdraws an unused link. A person who has already signed in by it stays signed in.
   *
   * @example
   * ```ts
   * await account.consoleLinks.withdraw(id)
   * ```
   */
  withdraw: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/console-links/${id}`, options))
})

export const consoleSessions = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Who is signed in, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last_seen_at } of account.consoleSessions.list()) console.log(name, last_seen_at)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ConsoleSession>(list("/console-sessions", filter, options)),

  /**
   * Ends a session, and those that its links began.
   *
   * @example
   * ```ts
   * await account.consoleSessions.end(id)
   * ```
   */
  end: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/console-sessions/${id}`, options)),

  /**
   * Ends all sessions of a person, and withdraws their links.
   *
   * @example
   * ```ts
   * await account.consoleSessions.endPerson(person)
   * ```
   */
  endPerson: (person: string, options?: T["options"]) =>
    client.nothing({ ...remove("/console-sessions", options), query: { person } })
})
