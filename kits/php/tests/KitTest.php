<?php

// Tests of the interface against the real executable.

declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Psp\Sandbox\ApiException;
use Psp\Sandbox\InvalidSignatureException;
use Psp\Sandbox\PspException;
use Psp\Sandbox\Sandbox;
use Psp\Sandbox\UsesSandbox;
use Psp\Sandbox\WaitTimeoutException;
use Psp\Sandbox\Webhook;

final class KitTest extends TestCase
{
    use UsesSandbox;

    public function testVerifyAcceptsTheWebhookOfAPaidPayment(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'hooks');
        $server = proc_open([PHP_BINARY, '-S', '127.0.0.1:0', __DIR__ . '/receiver.php'], [2 => ['pipe', 'w']], $pipes, null, [...getenv(), 'WEBHOOKS' => $file]);
        while (!preg_match('~http://\S+(?=\) started)~', (string) fgets($pipes[2]), $match));
        $shop = $this->psp();
        $shop->deliverTo($match[0]);
        $created = $shop->payments->create(15000, ['order_id' => 'A-1', 'metadata' => ['cart' => '7', 'name' => 'Ёжик ₽']]);
        $this->assertSame('succeeded', $shop->payments->pay($created['payment']['id'])['status']);
        $event = $shop->waitFor('payment.succeeded', ['metadata.cart' => 7, 'amount_refunded' => 0]);
        proc_terminate($server);
        ['body' => $body, 'header' => $header] = json_decode((string) file_get_contents($file), true);
        unlink($file);
        $message = Webhook::verify($body, $header, $shop->webhookSecret . "\r\n");
        $this->assertSame([$event['id'], 'A-1'], [$message['id'], $message['data']['order_id']]);
        $this->assertThrows('does not match', fn () => Webhook::verify("$body ", $header, $shop->webhookSecret));
        $this->assertThrows('more than 300 s', fn () => Webhook::verify($body, $header, $shop->webhookSecret, now: time() + 302));
        $this->assertThrows('missing', fn () => Webhook::verify($body, null, $shop->webhookSecret));
        $this->expectExceptionMessage('PSP_WEBHOOK_SECRET');
        Webhook::verify($body, $header, '');
    }

    public function testTheActsOfBuyerAndBankAreFinalAtOnce(): void
    {
        $payments = $this->psp()->payments;
        $id = fn () => $payments->create(100)['payment']['id'];
        $declined = $payments->decline($id(), 'insufficient_funds');
        $this->assertSame(['failed', 'insufficient_funds'], [$declined['status'], $declined['metadata']['failure_code']]);
        $this->assertSame('expired', $payments->expire($id())['status']);
        $payments->cancel($cancelled = $id());
        $this->assertSame('cancelled', $payments->get($cancelled)['status']);
        $paid = $payments->pay($id(), 'cards');
        $refund = $payments->refund($paid['id'], 40, ['reason' => 'damaged']);
        if ($refund['status'] === 'pending') {
            $this->psp()->refunds->settle($refund['id'], 'succeeded');
        }
        $this->assertSame(40, $payments->get($paid['id'])['amount_refunded']);
    }

    public function testAPayoutIsSettledAsFailed(): void
    {
        $payouts = $this->psp()->payouts;
        $payout = $payouts->create(100, '+79161234567', '100000000111', ['outcome' => 'pending'])['payout'];
        $this->assertSame('failed', $payouts->settle($payout['id'], 'failed', 'recipient_not_found')['status']);
        $this->assertSame('recipient_not_found', $payouts->get($payout['id'])['fail_reason']);
        $this->psp()->waitFor('payout.failed', ['amount' => 100, 'recipient.bank_id' => '100000000111']);
    }

    public function testARuleAndAnIdempotencyKeyDecideTheResponse(): void
    {
        $shop = $this->psp();
        $shop->rules->add(['failed:call_issuer', 'succeeded'], ['order_id' => 'A-*']);
        $first = $shop->payments->create(100, ['order_id' => 'A-1', 'idempotency_key' => 'k']);
        $again = $shop->payments->create(100, ['order_id' => 'A-1', 'idempotency_key' => 'k']);
        $this->assertSame(['failed', true], [$first['simulator'], $again['idempotent']]);
        $this->assertSame('succeeded', $shop->payments->create(100, ['order_id' => 'A-2'])['simulator']);
        $this->assertSame(2, $shop->rules->list()[0]['applied']);
        $shop->rules->clear();
        $this->assertSame([], $shop->rules->list());
    }

    public function testAShopSeesNeitherObjectsNorFaultsOfAnother(): void
    {
        $other = Sandbox::shared()->shop(['name' => 'Other', 'require_signature' => true]);
        $this->psp()->faults->add('api', 'status:503', times: 1);
        $this->assertSame('Other', $other->payments->create(100)['payment']['shop_name']);
        $error = $this->assertThrows('503', fn () => $this->psp()->payments->create(100));
        $this->assertInstanceOf(ApiException::class, $error);
        $this->assertSame([], $other->events());
        $other->faults->clear();
        $this->assertSame(['status:503'], array_column($this->psp()->faults->list(), 'fault'));
        $this->psp()->faults->clear();
        $this->assertSame([], $this->psp()->faults->list());
    }

    public function testAnEventThatDoesNotHappenIsExplained(): void
    {
        $shop = $this->psp();
        $shop->payments->decline($shop->payments->create(100, ['order_id' => 'C-1'])['payment']['id']);
        $error = $this->assertThrows('', fn () => $shop->waitFor('payment.succeeded', ['order_id' => 'C-2'], 0.1));
        $this->assertInstanceOf(WaitTimeoutException::class, $error);
        $this->assertStringContainsString('payment.succeeded with order_id "C-2" did not happen within 100ms.', $error->getMessage());
        $this->assertStringContainsString('payment.failed  order_id "C-1"', $error->getMessage());
        $this->assertThrows('payment.succeeded', fn () => $shop->waitFor('payment.suceeded'));
    }

    public function testTheClockMovesForwards(): void
    {
        $clock = $this->psp()->clock;
        $before = $clock->now();
        $clock->freeze();
        $clock->advance('20m');
        $this->assertGreaterThanOrEqual($before->modify('+20 minutes'), $clock->now());
        $clock->resume();
    }

    private function assertThrows(string $text, callable $run): PspException
    {
        try {
            $run();
        } catch (PspException $error) {
            $this->assertStringContainsString($text, $error->getMessage());
            return $error;
        }
        $this->fail("No exception with $text was thrown.");
    }
}
