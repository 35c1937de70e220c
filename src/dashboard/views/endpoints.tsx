import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { EndpointView, ShopView } from '../../client/control-types.ts'
import { Empty } from '../components/empty.tsx'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import type { View } from './view.ts'

interface ListedEndpoint {
  readonly shop: ShopView
  readonly endpoint: EndpointView
}

function Endpoints() {
  const store = useStore()
  const t = useText()
  const { session } = store.now
  const { shops, endpoints } = session.client.control
  const [known, setKnown] = useState<{ shops: readonly ShopView[]; rows: readonly ListedEndpoint[] }>()
  /** The secret of the endpoint that was just created or rotated. The server never shows it again. */
  const [secret, setSecret] = useState<{ readonly id: string; readonly text: string }>()

  const load = async () => {
    const { items } = await shops.list({ limit: 1000 })
    const rows = await Promise.all(
      items.map(async (shop) => (await endpoints.list(shop.id)).items.map((endpoint) => ({ shop, endpoint }))),
    )
    setKnown({ shops: items, rows: rows.flat() })
  }
  const perform = async (work: () => Promise<string>) => {
    try {
      store.toast(await work())
      await load()
    } catch (error) {
      store.toast(error instanceof Error ? error.message : String(error), 'failure')
    }
  }
  useEffect(() => void load().catch((error: Error) => store.toast(error.message, 'failure')), [session])

  const keep = ({ id, secret: text }: { id: string; secret?: string }) => text !== undefined && setSecret({ id, text })
  return (
    <section class="page" aria-label={t('endpoints')}>
      <header class="page-head">
        <h1>{t('endpoints')}</h1>
        <p class="quiet">{t('endpoints_text')}</p>
      </header>
      {!session.readOnly && known !== undefined && (
        <CreateForm
          shops={known.shops}
          onCreate={(shopId, url) =>
            void perform(async () => {
              keep(await endpoints.create(shopId, { url }))
              return t('done_endpoint_created')
            })
          }
        />
      )}
      {known?.rows.length === 0 && <Empty title={t('no_endpoints')} text={t('no_endpoints_text')} />}
      <ul class="cards">
        {known?.rows.map(({ shop, endpoint }) => (
          <li key={endpoint.id} class="card">
            <EndpointCard
              shop={shop}
              endpoint={endpoint}
              secret={secret?.id === endpoint.id ? secret.text : undefined}
              buttons={
                !session.readOnly && (
                  <EndpointButtons endpoint={endpoint} onPerform={(work) => void perform(work)} onSecret={keep} />
                )
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function EndpointCard(props: {
  readonly shop: ShopView
  readonly endpoint: EndpointView
  readonly secret: string | undefined
  readonly buttons: ComponentChildren
}) {
  const t = useText()
  const { shop, endpoint, secret, buttons } = props
  return (
    <>
      <h2 class="mono">
        <bdi>{endpoint.url}</bdi>
      </h2>
      <p class="quiet">
        <span class={`badge ${endpoint.active ? 'tone-success' : 'tone-dim'}`}>
          {t(endpoint.active ? 'active' : 'disabled')}
        </span>{' '}
        <bdi>{shop.name}</bdi> · {endpoint.events.length === 0 ? t('all_events') : endpoint.events.join(', ')} ·{' '}
        {endpoint.signature} · <span class="mono">{endpoint.id}</span>
      </p>
      {secret !== undefined && (
        <details class="secret">
          <summary>{t('show_secret')}</summary>
          <code>{secret}</code>
        </details>
      )}
      {buttons && <div class="buttons">{buttons}</div>}
    </>
  )
}

function EndpointButtons(props: {
  readonly endpoint: EndpointView
  onPerform(work: () => Promise<string>): void
  onSecret(result: { id: string; secret?: string }): void
}) {
  const store = useStore()
  const t = useText()
  const { endpoints } = store.now.session.client.control
  const { endpoint, onPerform, onSecret } = props
  const { id, active, url } = endpoint
  const confirm = (question: string, text: string, work: () => Promise<string>) =>
    store.open({ kind: 'confirm', question, confirm: text, run: () => onPerform(work) })
  const button = (text: string, onClick: () => void) => (
    <button type="button" class="button small" onClick={onClick}>
      {text}
    </button>
  )
  return (
    <>
      {button(t('send_test'), () =>
        onPerform(async () => {
          const { attempts } = await endpoints.test(id)
          const last = attempts.at(-1)
          return t('done_sent', { results: `${last?.status ?? last?.error ?? ''} ← ${url}` })
        }),
      )}
      {button(t(active ? 'disable' : 'enable'), () =>
        onPerform(async () => {
          await endpoints.update(id, { active: !active })
          return t(active ? 'done_disabled' : 'done_enabled')
        }),
      )}
      {button(t('rotate_secret'), () =>
        confirm(t('ask_rotate'), t('rotate_secret'), async () => {
          onSecret(await endpoints.rotateSecret(id))
          return t('done_rotated')
        }),
      )}
      {button(t('delete'), () =>
        confirm(t('ask_delete_endpoint', { url }), t('delete'), async () => {
          await endpoints.remove(id)
          return t('done_deleted')
        }),
      )}
    </>
  )
}

function CreateForm(props: { readonly shops: readonly ShopView[]; onCreate(shopId: string, url: string): void }) {
  const t = useText()
  const [url, setUrl] = useState('')
  const [shop, setShop] = useState(props.shops[0]?.id ?? '')
  return (
    <form
      class="inline-form card"
      onSubmit={(event) => {
        event.preventDefault()
        props.onCreate(shop, url)
        setUrl('')
      }}
    >
      <label for="endpoint-url">{t('receiver')}</label>
      <input
        id="endpoint-url"
        type="url"
        required
        placeholder="http://localhost:3000/hooks"
        value={url}
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {props.shops.length > 1 && (
        <select aria-label={t('shop')} value={shop} onChange={({ currentTarget }) => setShop(currentTarget.value)}>
          {props.shops.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="submit" class="button primary">
        {t('add_endpoint')}
      </button>
    </form>
  )
}

export const endpointsView: View = { name: 'endpoints', title: 'endpoints', icon: 'endpoint', component: Endpoints }
