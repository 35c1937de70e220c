<?php

// The operations of a shop: clock, payments, payouts, refunds, rules and faults.

declare(strict_types=1);

namespace Psp\Sandbox;

/** The clock of the sandbox. All shops of the sandbox share it, and a test can move it forwards only. */
final class Clock
{
    public function __construct(private readonly Sandbox $sandbox) {}

    /** Returns the time of the sandbox. */
    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable($this->sandbox->request('GET', '/_psp/clock')['now']);
    }

    /** Runs every step that is due within the duration, webhooks included: advance('20m'). */
    public function advance(string $by): void
    {
        $this->sandbox->request('POST', '/_psp/clock/advance', ['by' => $by]);
    }

    /** Stops the clock. */
    public function freeze(): void
    {
        $this->sandbox->request('POST', '/_psp/clock', ['mode' => 'frozen']);
    }

    /** Continues at the speed of the system clock. */
    public function resume(): void
    {
        $this->sandbox->request('POST', '/_psp/clock', ['mode' => 'real']);
    }
}

/** Operations on the objects of one kind. */
abstract class Operations
{
    public function __construct(protected readonly Shop $shop, protected readonly string $kind) {}

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    protected function act(string $id, array $body): array
    {
        return $this->shop->sandbox->request('POST', "/_psp/$this->kind/$id/act", given($body));
    }
}

/** Payments of the shop, and the actions of buyer and bank on them. */
final class Payments extends Operations
{
    /**
     * Creates a payment with an amount in minor units.
     *
     * @param array<string, mixed> $fields the other fields of the request, such as order_id and metadata; outcome is
     *     the plan of the simulator, such as failed:insufficient_funds; idempotency_key is sent as a header
     * @return array<string, mixed> the response, with payment and payment_url
     */
    public function create(int $amount, array $fields = []): array
    {
        return $this->shop->request('POST', '/v1/public/payments', ['amount' => $amount, ...$fields]);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->shop->request('GET', "/v1/public/payments/$id");
    }

    /** Cancels a pending payment. */
    public function cancel(string $id): void
    {
        $this->shop->request('POST', "/v1/public/payments/$id/cancel");
    }

    /**
     * Refunds the amount, or the whole remainder if it is 0.
     *
     * @param array<string, mixed> $fields may be reason and idempotency_key
     * @return array<string, mixed>
     */
    public function refund(string $id, int $amount = 0, array $fields = []): array
    {
        return $this->shop->request('POST', "/v1/public/payments/$id/refund", ['amount' => $amount, ...$fields]);
    }

    /**
     * Pays as the buyer, by SBP or another method. The payment is final at once.
     *
     * @return array<string, mixed>
     */
    public function pay(string $id, ?string $method = null): array
    {
        return $this->act($id, ['action' => 'pay', 'method' => $method]);
    }

    /**
     * Declines as the bank, with do_not_honor or another code. The payment is final at once.
     *
     * @return array<string, mixed>
     */
    public function decline(string $id, ?string $failureCode = null): array
    {
        return $this->act($id, ['action' => 'decline', 'failure_code' => $failureCode]);
    }

    /**
     * Expires the payment at once.
     *
     * @return array<string, mixed>
     */
    public function expire(string $id): array
    {
        return $this->act($id, ['action' => 'expire']);
    }
}

/** Payouts or refunds, which the bank settles. */
abstract class Settled extends Operations
{
    /**
     * Settles a pending payout or refund as the bank: succeeded or failed.
     *
     * @return array<string, mixed>
     */
    public function settle(string $id, string $status, ?string $failureCode = null): array
    {
        return $this->act($id, ['action' => 'settle', 'status' => $status, 'failure_code' => $failureCode]);
    }
}

/** Payouts of the shop, and the action of the bank on them. */
final class Payouts extends Settled
{
    /**
     * Creates a payout with an amount in minor units.
     *
     * @param array<string, mixed> $fields as in Payments::create
     * @return array<string, mixed> the response, with payout
     */
    public function create(int $amount, string $phone, string $bankId, array $fields = []): array
    {
        $body = ['amount' => $amount, 'phone' => $phone, 'bank_id' => $bankId, ...$fields];
        return $this->shop->request('POST', '/v1/public/payouts', $body);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->shop->request('GET', "/v1/public/payouts/$id");
    }
}

/** The action of the bank on refunds. Payments::refund creates refunds. */
final class Refunds extends Settled {}

/** Rules or faults. `times` limits how often one applies. */
abstract class Counted extends Operations
{
    /**
     * Returns the rules or faults of this shop, newest first.
     *
     * @return list<array<string, mixed>>
     */
    public function list(): array
    {
        return $this->shop->list($this->kind);
    }

    /** Removes the rule or fault with this id. */
    public function remove(string $id): void
    {
        $this->shop->sandbox->request('DELETE', "/_psp/$this->kind/$id");
    }

    /** Removes all rules or faults of this shop. */
    public function clear(): void
    {
        $this->shop->sandbox->request('DELETE', "/_psp/$this->kind?shop_id={$this->shop->shopId}");
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    protected function post(array $body): array
    {
        return $this->shop->sandbox->request('POST', "/_psp/$this->kind", given($body));
    }
}

/** Rules that decide the outcome of this shop's payments, refunds and payouts. */
final class Rules extends Counted
{
    /**
     * Adds a rule: add('failed:insufficient_funds', ['order_id' => 'A-*'], times: 1).
     *
     * @param string|list<string> $plan a plan, or a list of plans for consecutive objects
     * @param array<string, mixed> $match
     * @return array<string, mixed>
     */
    public function add(string|array $plan, array $match = [], ?int $times = null): array
    {
        return $this->post(['plan' => $plan, 'match' => ['shop_id' => $this->shop->shopId] + $match, 'times' => $times]);
    }
}

/** Transport faults between this shop and the service. */
final class Faults extends Counted
{
    /**
     * Adds a fault: add('webhook', 'duplicate:1', times: 1). Targets are api, webhook, stream and redirect.
     *
     * @param array<string, mixed> $match
     * @return array<string, mixed>
     */
    public function add(string $target, string $fault, array $match = [], ?int $times = null): array
    {
        return $this->post(['target' => $target, 'fault' => $fault, 'match' => ['shop_id' => $this->shop->shopId] + $match, 'times' => $times]);
    }
}

/**
 * Returns the fields that have a value.
 *
 * @param array<string, mixed> $fields
 * @return array<string, mixed>
 */
function given(array $fields): array
{
    return array_filter($fields, fn (mixed $value) => $value !== null);
}
