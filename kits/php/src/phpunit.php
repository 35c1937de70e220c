<?php

// A shop for each test of PHPUnit.

declare(strict_types=1);

namespace Psp\Sandbox;

/** Gives each test a separate shop, `$this->psp()`. All tests of the process share one sandbox. */
trait UsesSandbox
{
    private ?Shop $pspShop = null;

    /** Returns the shop of this test. PHPUnit creates an object for each test, so no other test sees it. */
    protected function psp(): Shop
    {
        return $this->pspShop ??= Sandbox::shared(...static::pspFlags())->shop();
    }

    /**
     * The flags of the sandbox. Override this method to change them: return ['--clock=frozen'].
     *
     * @return list<string>
     */
    protected static function pspFlags(): array
    {
        return [];
    }
}
