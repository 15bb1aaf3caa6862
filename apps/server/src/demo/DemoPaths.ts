/** The paths of the pages of development mode. */

/** The page that the demo task fetches unless a caller names another. */
export const pagePath = "/demo/page"

/** Callbacks are posted and shown there. */
export const inboxPath = "/demo/inbox"

/** The welcome page queues the demo task there, and follows it below. */
export const runPath = "/demo/run"

/** Leads to the Integrations page by a new link, for the person at this machine. */
export const consoleLinkPath = "/demo/integrations"
