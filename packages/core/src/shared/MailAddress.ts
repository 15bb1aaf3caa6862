/** E-mail addresses of people, and of mailboxes that mails are sent to. */
import * as Schema from "effect/Schema"

/**
 * Begins the pattern of every address: a mail program could read a hyphen at the
 * beginning as an option, and dots may stand between other characters only.
 */
export const mailboxGuard = String.raw`(?![-.])(?!.*\.[.@])`

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"

export const mailAddressRule =
  "must be one e-mail address, such as ops@example.com, that does not begin with a hyphen or a dot, with no dot before the @ and no two dots in a row"

/** One mailbox, without names, quotes or comments: nothing that a mail server could read as a second one. */
const MailAddress = Schema.String.check(
  Schema.isPattern(
    new RegExp(`^${mailboxGuard}[a-zA-Z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@${label}(?:\\.${label}){1,6}$`)
  )
)

export const isMailAddress = Schema.is(MailAddress)
