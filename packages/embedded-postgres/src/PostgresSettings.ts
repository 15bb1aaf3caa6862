/** The configuration of the private PostgreSQL. Anything not here keeps PostgreSQL's own default. */

export type Settings = { readonly [name: string]: string }

/** Written to `postgresql.conf` when the cluster is made; the operator may change it afterwards. */
export const initial: Settings = {
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  min_wal_size: "80MB",
  // Today's disks find any page about as fast as the next one.
  random_page_cost: "1.1",
  // Our statements are short; compiling them takes longer than running them.
  jit: "off",
  // The rows of a queue die young.
  autovacuum_naptime: "15s",
  log_checkpoints: "off",
  timezone: "UTC"
}

/** What the service promises or relies on; given at each start, and stronger than `postgresql.conf`. */
export const fixed = (socketFolder: string): Settings => ({
  // What was acknowledged survives a power cut.
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  // After a crash it brings the folder to the disk first: in one call, where there is one, and not file by file.
  recovery_init_sync_method: process.platform === "linux" ? "syncfs" : "fsync",
  // It can be reached only through the socket in our own folder.
  listen_addresses: "",
  port: "5432",
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: "0700",
  // `ServerLog` reads what it writes, so no statement, detail or value of a row may be in it.
  logging_collector: "off",
  log_destination: "stderr",
  log_line_prefix: "",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_error_verbosity: "terse",
  lc_messages: "C"
})

/** As the arguments of PostgreSQL's programs. */
export const asArguments = (settings: Settings): ReadonlyArray<string> =>
  Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
