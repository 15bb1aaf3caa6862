/** Errors of a sign-in at the provider, by the value of `?problem=`. */

export interface ProviderProblem {
  readonly title: string
  readonly text: string
}

export const providerProblems: { readonly [problem: string]: ProviderProblem | undefined } = {
  refused: {
    title: "The sign-in was not finished",
    text: "You, or the company account, refused. Nothing has changed; you may try again."
  },
  away: {
    title: "The company account does not answer",
    text: "Runhook could not reach it. Try again in a while, or sign in by a link."
  },
  stale: {
    title: "This sign-in is over",
    text: "It took longer than ten minutes, or began in another browser. Try again, and allow cookies for this page."
  },
  busy: {
    title: "Too many people sign in just now",
    text: "Try again in a while."
  },
  invalid: {
    title: "The sign-in could not be verified",
    text: "Its answer is not valid. Try again; the operator finds the reason in the log."
  },
  no_account: {
    title: "No account is yours yet",
    text: "Your company account is known, but has no access to an account here. Ask the operator of Runhook."
  }
}
