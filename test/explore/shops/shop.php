<?php
// A shop in plain PHP that keeps its orders in a JSON file. The variable BUG plants one bug.
const FAILED = ['failed', 'expired', 'cancelled'];
const RANK = ['failed' => 1, 'expired' => 1, 'cancelled' => 1, 'succeeded' => 2, 'refunded' => 3];

$bug = getenv('BUG') ?: '';
$file = getenv('SHOP_FILE');

function load(string $file): array
{
    return json_decode(@file_get_contents($file) ?: 'null', true) ?? ['payments' => [], 'payouts' => []];
}

function apply(array $shop, array $event, string $bug): array
{
    $data = $event['data'];
    if (str_starts_with($event['event'], 'payout.')) {
        if ($event['event'] === 'payout.succeeded') {
            $shop['payouts'][$data['id']] = $data['amount'];
        }
        return $shop;
    }
    $known = $shop['payments'][$data['id']] ?? null;
    $refunded = $data['amount_refunded'];
    if ($bug === 'counts failed refunds') {
        $refunded = array_sum(array_column($data['refunds'] ?? [], 'amount'));
    }
    $status = $known !== null && RANK[$known['status']] >= RANK[$data['status']] ? $known['status'] : $data['status'];
    $shop['payments'][$data['id']] = [
        'order' => $data['order_id'],
        'amount' => $data['amount'],
        'refunded' => max($known['refunded'] ?? 0, $refunded),
        'status' => $status,
    ];
    return $shop;
}

function paid(array $shop): array
{
    return array_filter($shop['payments'], fn ($payment) => !in_array($payment['status'], FAILED, true));
}

function view(array $shop, string $order): ?array
{
    $of_order = fn ($payment) => $payment['order'] === $order;
    if (array_filter($shop['payments'], $of_order) === []) {
        return null;
    }
    $paid = array_filter(paid($shop), $of_order);
    $open = array_filter($paid, fn ($payment) => $payment['refunded'] < $payment['amount']);
    $refunded = array_sum(array_column($paid, 'refunded'));
    $status = match (true) {
        $paid === [] => 'open',
        $open === [] => 'refunded',
        $refunded > 0 => 'partly_refunded',
        default => 'paid',
    };
    return ['status' => $status, 'received' => array_sum(array_column($paid, 'amount')), 'refunded' => $refunded];
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $event = json_decode(file_get_contents('php://input'), true);
    if ($bug === 'fails on a cancelled payment' && $event['event'] === 'payment.cancelled') {
        http_response_code(500);
        exit;
    }
    $lock = fopen("$file.lock", 'c');
    if ($bug !== 'reads and writes without a lock') {
        flock($lock, LOCK_EX);
    }
    $shop = apply(load($file), $event, $bug);
    if ($bug === 'reads and writes without a lock') {
        usleep(3000);
    }
    file_put_contents($file, json_encode($shop), LOCK_EX);
    exit;
}
$lock = fopen("$file.lock", 'c');
flock($lock, LOCK_SH);
$shop = load($file);
if ($path === '/balance') {
    $paid = paid($shop);
    $sum = array_sum(array_column($paid, 'amount')) - array_sum(array_column($paid, 'refunded'));
    $value = ['balance' => $sum - array_sum($shop['payouts'])];
} else {
    $value = view($shop, rawurldecode(substr($path, strlen('/orders/'))));
}
if ($value === null) {
    http_response_code(404);
    exit;
}
header('Content-Type: application/json');
echo json_encode($value);
