<?php

// Loads the kit. Composer requires this file; without Composer, require it yourself.

declare(strict_types=1);

require_once __DIR__ . '/errors.php';
require_once __DIR__ . '/executable.php';
require_once __DIR__ . '/webhook.php';
require_once __DIR__ . '/sandbox.php';
require_once __DIR__ . '/shop.php';
require_once __DIR__ . '/operations.php';
require_once __DIR__ . '/phpunit.php';
