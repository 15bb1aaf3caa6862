/**
 * Who changed what in an account, and when, which the id tells. Rows are added, read and pruned, but never changed.
 */
export const audit = [
  `CREATE TABLE audit_log (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_id text,
    actor_person uuid,
    actor_name text NOT NULL,
    from_address text,
    request_id text,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    subject_name text,
    -- Lower-cased by the application, since the database's lower-casing depends on its locale.
    folded_names text NOT NULL,
    before json,
    after json,
    PRIMARY KEY (bucket, account_id, id)
  )`,
  `CREATE INDEX audit_log_by_subject ON audit_log (bucket, account_id, subject_id, id)`
]
