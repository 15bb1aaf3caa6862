/** The columns of an `Agent`, of a row `a`. */
export const agentColumns = `
  a.id, a.account_id AS "accountId", a.name, a.description, a.labels, a.capacity, a.state,
  a.created_at AS "createdAt", a.updated_at AS "updatedAt"`
