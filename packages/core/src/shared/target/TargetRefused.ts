/** A callback URL that must not be called. */
import * as Schema from "effect/Schema"

/** Longest callback URL in characters. */
export const callbackUrlLengthMax = 2_048

/**
 * What is wrong with a callback URL. The caller learns which rule of form is
 * broken, but not which host or address is blocked, so that nobody can map a
 * network by asking.
 */
export const TargetRule = Schema.Literals([
  "length",
  "form",
  "scheme",
  "user_info",
  "port",
  "label",
  "host",
  "address"
])
export type TargetRule = typeof TargetRule.Type

const blocked = "is blocked by policy"

const faults: { readonly [Rule in TargetRule]: string } = {
  length: `must be at most ${callbackUrlLengthMax} characters long`,
  form: "must be a valid absolute URL",
  scheme: "must use https or http",
  user_info: "must not contain a user name or password",
  port: "must not use a port reserved for another protocol",
  label: "must not have an empty label in its host name",
  host: blocked,
  address: blocked
}

/** The URL breaks a rule of form, or leads where callbacks may not go. */
export class TargetRefused extends Schema.TaggedError<TargetRefused>()("TargetRefused", {
  rule: TargetRule
}) {
  override get message() {
    return `The URL ${faults[this.rule]}`
  }
}
