<?php

// The orders of the example shops, in the file SHOP_DATA. Signed webhooks change orders, and each event counts once.

declare(strict_types=1);

final class Orders
{
    private const STATUS = [
        'payment.succeeded' => 'paid',
        'payment.failed' => 'failed',
        'payment.expired' => 'expired',
        'payment.cancelled' => 'cancelled',
    ];

    /**
     * Creates the payment of an order. A repeated call returns the same payment.
     *
     * @return array<string, mixed>
     */
    public function place(string $id, int $amount): array
    {
        $this->change(fn (array $data) => ['orders' => $data['orders'] + [$id => ['id' => $id, 'status' => 'pending', 'paid' => 0, 'webhooks' => 0]]] + $data);
        $headers = ['Authorization: Bearer ' . getenv('PSP_API_KEY'), 'Content-Type: application/json', "Idempotency-Key: $id"];
        $http = ['method' => 'POST', 'header' => $headers, 'content' => json_encode(['amount' => $amount, 'order_id' => $id])];
        $response = file_get_contents(getenv('PSP_URL') . '/v1/public/payments', false, stream_context_create(['http' => $http]));
        $created = json_decode((string) $response, true, flags: JSON_THROW_ON_ERROR);
        return $this->change(function (array $data) use ($id, $created) {
            $data['orders'][$id]['payment_id'] = $created['payment']['id'];
            $data['orders'][$id]['payment_url'] = $created['payment_url'];
            return $data;
        })['orders'][$id];
    }

    /**
     * Applies a webhook. A second copy of an event changes nothing.
     *
     * @param array<string, mixed> $event
     */
    public function take(array $event): void
    {
        $this->change(function (array $data) use ($event) {
            $order = &$data['orders'][$event['data']['order_id'] ?? ''];
            if ($order === null) {
                unset($data['orders'][$event['data']['order_id'] ?? '']);
                return $data;
            }
            $order['webhooks']++;
            if (isset($data['seen'][$event['id']])) {
                return $data;
            }
            $data['seen'][$event['id']] = true;
            $order['status'] = self::STATUS[$event['event']] ?? $order['status'];
            if ($event['event'] === 'payment.succeeded') {
                $order['paid'] += $event['data']['amount'];
            }
            return $data;
        });
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->change(fn (array $data) => $data)['orders'][$id];
    }

    /**
     * Changes the file while no other worker of the server reads or writes it.
     *
     * @param callable(array<string, mixed>): array<string, mixed> $change
     * @return array<string, mixed>
     */
    private function change(callable $change): array
    {
        $file = fopen((string) getenv('SHOP_DATA'), 'c+') ?: throw new RuntimeException('Set SHOP_DATA to a file for the orders.');
        flock($file, LOCK_EX);
        $data = $change(json_decode((string) stream_get_contents($file), true) ?? ['orders' => [], 'seen' => []]);
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($data, JSON_THROW_ON_ERROR));
        fclose($file);
        return $data;
    }
}
