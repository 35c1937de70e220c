<?php

// One shop of a sandbox: its keys, webhooks and events.

declare(strict_types=1);

namespace Psp\Sandbox;

/** A shop that other tests do not see. `env` has the variables that an application needs to use it. */
final class Shop
{
    private const HEADERS = ['outcome' => 'X-PSP-Simulate', 'idempotency_key' => 'Idempotency-Key'];

    public readonly string $url;
    public readonly Clock $clock;
    /** @var array<string, string> */
    public readonly array $env;
    public readonly Payments $payments;
    public readonly Payouts $payouts;
    public readonly Refunds $refunds;
    public readonly Rules $rules;
    public readonly Faults $faults;

    public function __construct(
        public readonly Sandbox $sandbox,
        public readonly string $shopId,
        public readonly string $apiKey,
        public readonly string $signingSecret,
        public readonly string $webhookSecret,
    ) {
        $this->url = $sandbox->url;
        $this->clock = $sandbox->clock;
        $this->env = [
            'PSP_URL' => $this->url,
            'PSP_API_KEY' => $this->apiKey,
            'PSP_SIGNING_SECRET' => $this->signingSecret,
            'PSP_WEBHOOK_SECRET' => $this->webhookSecret,
        ];
        $this->payments = new Payments($this, 'payments');
        $this->payouts = new Payouts($this, 'payouts');
        $this->refunds = new Refunds($this, 'refunds');
        $this->rules = new Rules($this, 'rules');
        $this->faults = new Faults($this, 'faults');
    }

    /**
     * Sends a signed request of this shop to the public API.
     *
     * @param array<string, mixed>|null $body its fields outcome and idempotency_key are sent as headers
     */
    public function request(string $method, string $path, ?array $body = null): mixed
    {
        $headers = ['Authorization' => "Bearer $this->apiKey"];
        foreach (array_intersect_key(self::HEADERS, given($body ?? [])) as $field => $name) {
            $headers[$name] = $body[$field];
            unset($body[$field]);
        }
        $payload = $body === null ? '' : Sandbox::encode($body);
        $headers['X-PSP-Signature'] = 'sha256=' . hash_hmac('sha256', $payload, $this->signingSecret);
        return $this->sandbox->request($method, $path, $payload, $headers);
    }

    /**
     * Sends the webhooks of this shop to the URL, signed with `webhookSecret`.
     *
     * @param list<string> $events default: every event
     */
    public function deliverTo(string $url, array $events = []): void
    {
        $body = ['url' => $url, 'own_secret' => false, 'events' => $events];
        $this->sandbox->request('POST', "/_psp/shops/$this->shopId/endpoints", $body);
    }

    /**
     * Returns the last 1,000 events of this shop, newest first.
     *
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    public function events(array $filters = []): array
    {
        return $this->list('events', $filters);
    }

    /**
     * Returns the last 1,000 deliveries of this shop, newest first, each with its attempts.
     *
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    public function deliveries(array $filters = []): array
    {
        return $this->list('deliveries', $filters);
    }

    /**
     * Returns the first matching event, past or future, after the first attempt of each of its webhooks.
     *
     * @param array<string, mixed> $where fields of the event or of its object:
     *     ['order_id' => 'A-1', 'metadata.cart' => 7]
     * @param float $timeout in seconds
     * @return array<string, mixed>
     */
    public function waitFor(string $event, array $where = [], float $timeout = 5): array
    {
        $body = ['event' => $event, 'where' => (object) $where, 'timeout' => round($timeout * 1000) . 'ms'];
        $result = $this->sandbox->request('POST', "/_psp/shops/$this->shopId/wait", $body, timeout: $timeout + 60);
        return $result['event'] ?? throw new WaitTimeoutException($result['message']);
    }

    /**
     * @internal
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    public function list(string $path, array $filters = []): array
    {
        $query = http_build_query(['shop_id' => $this->shopId, 'limit' => '1000', ...$filters]);
        return $this->sandbox->request('GET', "/_psp/$path?$query")['items'];
    }
}
