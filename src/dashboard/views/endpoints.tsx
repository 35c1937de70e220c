import { useState } from 'preact/hooks'
import type { EndpointView, ShopView } from '../../client/control-types.ts'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { InlineForm, Page, Secret } from '../components/page.tsx'
import { sentText } from '../state/sent-text.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

interface ListedEndpoint {
  readonly shop: ShopView
  readonly endpoint: EndpointView
}

interface ShownSecret {
  readonly id: string
  readonly secret?: string
}

export function Endpoints() {
  const t = useText()
  const { session } = useStore().app
  const { shops, endpoints } = session.client.control
  const [known, reload] = useLoaded(async () => {
    const { items } = await shops.list({ limit: 1000 })
    const rows = await Promise.all(
      items.map(async (shop) => (await endpoints.list(shop.id)).items.map((endpoint) => ({ shop, endpoint }))),
    )
    return { shops: items, rows: rows.flat() }
  })
  const task = useTask(reload)
  const run = session.readOnly ? undefined : task
  /** The secret of the endpoint that was just created or rotated. No later response about endpoints contains it. */
  const [shown, setShown] = useState<ShownSecret>()
  return (
    <Page title={t('endpoints')} text={t('endpoints_text')}>
      {run && known !== undefined && (
        <CreateForm
          shops={known.shops}
          onCreate={(shopId, url) =>
            run('done_endpoint_created', async () => setShown(await endpoints.create(shopId, { url })))
          }
        />
      )}
      {known?.rows.length === 0 && <Empty title={t('no_endpoints')} text={t('no_endpoints_text')} />}
      <ul class="cards">
        {known?.rows.map((row) => (
          <li key={row.endpoint.id} class="card">
            <EndpointCard {...row} />
            {shown?.id === row.endpoint.id && shown.secret !== undefined && (
              <Secret title={t('show_secret')} text={shown.secret} />
            )}
            {run && (
              <div class="buttons">
                <EndpointButtons endpoint={row.endpoint} run={run} onSecret={setShown} />
              </div>
            )}
            {run && <EditForm endpoint={row.endpoint} run={run} />}
          </li>
        ))}
      </ul>
    </Page>
  )
}

function EndpointCard({ shop, endpoint }: ListedEndpoint) {
  const t = useText()
  const { url, active, events, signature, id } = endpoint
  return (
    <>
      <h2 class="mono">
        <bdi>{url}</bdi>
      </h2>
      <p class="quiet">
        <span class={`badge ${active ? 'tone-success' : 'tone-dim'}`}>{t(active ? 'active' : 'disabled')}</span>{' '}
        <bdi>{shop.name}</bdi> · {events.length === 0 ? t('all_events') : events.join(', ')} · {signature} ·{' '}
        <span class="mono">{id}</span>
      </p>
    </>
  )
}

interface EndpointButtonsProps {
  readonly endpoint: EndpointView
  readonly run: Task
  onSecret(shown: ShownSecret): void
}

function EndpointButtons({ endpoint: { id, active, url }, run, onSecret }: EndpointButtonsProps) {
  const t = useText()
  const { endpoints } = useStore().app.session.client.control
  const sendTest = async () => sentText([await endpoints.test(id)], t)
  return (
    <>
      <Button look="small" onClick={() => run(undefined, sendTest)}>
        {t('send_test')}
      </Button>
      <Button
        look="small"
        onClick={() => run(active ? 'done_disabled' : 'done_enabled', () => endpoints.update(id, { active: !active }))}
      >
        {t(active ? 'disable' : 'enable')}
      </Button>
      <Button
        look="small"
        onClick={() =>
          run.ask(t('ask_rotate'), 'rotate_secret', 'done_rotated', async () =>
            onSecret(await endpoints.rotateSecret(id)),
          )
        }
      >
        {t('rotate_secret')}
      </Button>
      <Button
        look="small"
        onClick={() => run.ask(t('ask_delete_endpoint', { url }), 'delete', 'done_deleted', () => endpoints.remove(id))}
      >
        {t('delete')}
      </Button>
    </>
  )
}

function EditForm({ endpoint: { id, url, events }, run }: { readonly endpoint: EndpointView; readonly run: Task }) {
  const t = useText()
  const { endpoints } = useStore().app.session.client.control
  return (
    <details>
      <summary>{t('edit')}</summary>
      <InlineForm
        fields={[
          { name: 'url', label: 'URL', example: '' },
          { name: 'events', label: t('events'), example: t('all_events') },
        ]}
        initial={{ url, events: events.join(', ') }}
        submit={t('save')}
        onSubmit={({ url: receiver = '', events: names = '' }) =>
          run('done_changed', () =>
            endpoints.update(id, {
              url: receiver,
              events: names.split(/[\s,]+/).filter(Boolean) as EndpointView['events'],
            }),
          )
        }
      />
    </details>
  )
}

function CreateForm(props: { readonly shops: readonly ShopView[]; onCreate(shopId: string, url: string): void }) {
  const t = useText()
  const [shop, setShop] = useState(props.shops[0]?.id ?? '')
  return (
    <div class="card">
      <InlineForm
        fields={[{ name: 'url', label: t('receiver'), example: 'http://localhost:3000/hooks' }]}
        submit={t('add_endpoint')}
        onSubmit={({ url = '' }) => props.onCreate(shop, url)}
      >
        {props.shops.length > 1 && (
          <select aria-label={t('shop')} value={shop} onChange={({ currentTarget }) => setShop(currentTarget.value)}>
            {props.shops.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </InlineForm>
    </div>
  )
}
