import { useState } from 'preact/hooks'
import { useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { CodeText } from './empty.tsx'
import { Icon } from './icon.tsx'

interface SignInProps {
  readonly isWrong: boolean
  onToken(token: string): void
}

export function SignIn({ isWrong, onToken }: SignInProps) {
  const t = useText()
  const [token, setToken] = useState('')
  return (
    <main class="gate" id="main">
      <Icon name="flask" />
      <h1>{t('sign_in_title')}</h1>
      <p class="quiet">
        <CodeText text={t('sign_in_text')} />
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') onToken(token.trim())
        }}
      >
        <label for="token">{t('token')}</label>
        <input
          id="token"
          type="password"
          value={token}
          autofocus
          autocomplete="off"
          aria-describedby="token-problem"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p id="token-problem" class="problem" role="alert">
          {isWrong && t('wrong_token')}
        </p>
        <button type="submit" class="button primary">
          {t('sign_in')}
        </button>
      </form>
    </main>
  )
}

interface ServerUnreachableProps {
  readonly message: string
  readonly onSignOut: (() => void) | undefined
  onRetry(): void
}

export function ServerUnreachable({ message, onRetry, onSignOut }: ServerUnreachableProps) {
  const t = useText()
  return (
    <main class="gate" id="main">
      <h1>{t('unreachable_title')}</h1>
      <p class="quiet">{message}</p>
      <Button look="primary" onClick={onRetry}>
        {t('try_again')}
      </Button>
      {onSignOut !== undefined && <Button onClick={onSignOut}>{t('sign_out')}</Button>}
    </main>
  )
}
