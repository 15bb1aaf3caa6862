/** The version of this server, from `package.json`. */
export const version = "0.1.0"
