/** Tells the other tabs of this browser that somebody signed in or out. They share one cookie. */

const channel = new BroadcastChannel("runhook.console.session")

export const tellTabs = (): void => channel.postMessage("changed")

export const listenToTabs = (listener: () => void): void => channel.addEventListener("message", listener)
