<?php

// One shop of a sandbox: its keys, webhooks and events.

declare(strict_types=1);

namespace Psp\Sandbox;

/** A shop that other tests do not see. `env` has the variables that an application needs to use it. */
final class Shop
{
    private const HEADERS = ['outcome' => 'X-PSP-Simulate', 'idempotency_key' => 'Idempotency-Key'];
    private const POLL = 20_000;
    private const SHOWN = 5;

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
     * @return array<string, mixed>
     */
    public function deliverTo(string $url, array $events = []): array
    {
        $body = ['url' => $url, 'own_secret' => false, 'events' => $events];
        return $this->sandbox->request('POST', "/_psp/shops/$this->shopId/endpoints", $body);
    }

    /**
     * Returns the last 1,000 events of this shop, newest first.
     *
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    public function events(array $filters = []): array
    {
        return $this->list('/_psp/events', $filters);
    }

    /**
     * Returns the last 1,000 deliveries of this shop, newest first, each with its attempts.
     *
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    public function deliveries(array $filters = []): array
    {
        return $this->list('/_psp/deliveries', $filters);
    }

    /**
     * Returns the first matching event, past or future, after the first attempt of each of its webhooks.
     *
     * @param array<string, mixed>|\Closure(array<string, mixed>): bool $where fields of the object or event,
     *     ['order_id' => 'A-1', 'metadata.cart' => 7], or a function of the event
     * @param float $timeout in seconds
     * @return array<string, mixed>
     */
    public function waitFor(string $event, array|\Closure $where = [], float $timeout = 5): array
    {
        for ($deadline = microtime(true) + $timeout; ; usleep(self::POLL)) {
            $matching = array_filter($this->events(['event' => $event]), fn (array $one) => self::matches($one, $where));
            $first = end($matching);
            if ($first !== false && array_filter($this->deliveries(['event_id' => $first['id']]), self::isOpen(...)) === []) {
                return $first;
            }
            if (microtime(true) > $deadline) {
                throw new WaitTimeoutException($this->missing($event, $where, $timeout, $first !== false));
            }
        }
    }

    /**
     * @param array<string, string> $filters
     * @return list<array<string, mixed>>
     */
    private function list(string $path, array $filters): array
    {
        $query = http_build_query(['shop_id' => $this->shopId, 'limit' => '1000', ...$filters]);
        return $this->sandbox->request('GET', "$path?$query")['items'];
    }

    /** @param array<string, mixed>|\Closure $where */
    private function missing(string $event, array|\Closure $where, float $timeout, bool $happened): string
    {
        $wanted = is_array($where) && $where !== [] ? "$event with " . json_encode($where, JSON_UNESCAPED_UNICODE) : $event;
        if ($happened) {
            return "$wanted happened, but its webhook got no response within $timeout s. Check the URL in deliverTo().";
        }
        $seen = array_slice($this->events(), 0, self::SHOWN);
        $lines = ["$wanted did not happen within $timeout s.", $seen === [] ? 'No event happened.' : 'Events that happened instead:'];
        foreach ($seen as $one) {
            $lines[] = "  {$one['event']}  " . ($one['data']['order_id'] ?? $one['object_id']);
        }
        if ($this->sandbox->request('GET', '/_psp/clock')['mode'] === 'frozen') {
            $lines[] = "The clock is frozen: clock->advance('10s') runs the next steps.";
        }
        return implode("\n", $lines);
    }

    /** @param array<string, mixed> $delivery */
    private static function isOpen(array $delivery): bool
    {
        return $delivery['attempts'] === [] && !in_array($delivery['status'], ['cancelled', 'exhausted'], true);
    }

    /**
     * Returns whether the event has each value, in its object or in itself.
     *
     * @param array<string, mixed> $event
     * @param array<string, mixed>|\Closure $where
     */
    private static function matches(array $event, array|\Closure $where): bool
    {
        if ($where instanceof \Closure) {
            return $where($event);
        }
        foreach ($where as $path => $wanted) {
            $value = [...$event, ...$event['data']];
            foreach (explode('.', $path) as $name) {
                $value = is_array($value) ? $value[$name] ?? null : null;
            }
            if (!is_scalar($value) || (string) $value !== (string) $wanted) {
                return false;
            }
        }
        return true;
    }
}
