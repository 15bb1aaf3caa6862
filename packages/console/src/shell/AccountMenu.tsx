/** Which account is shown, as whom, and the ways to change either. */
import { Words } from "../parts/Words.tsx"
import { chooseAccount, membership, session } from "../session/Session.ts"

export const AccountMenu = () => {
  const shown = membership.value
  const accounts = session.value?.accounts ?? []
  return (
    <div class="foot">
      {accounts.length < 2 || shown === undefined ? (
        <strong>
          <Words text={shown?.name ?? ""} />
        </strong>
      ) : (
        <label class="field">
          <span class="quiet">Account</span>
          <select value={shown.id} onChange={(event) => chooseAccount(event.currentTarget.value)}>
            {accounts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="quiet">{shown?.role}</p>
    </div>
  )
}
