// Generated from Sources/HeadgatePages/Assets by .ci/embed; do not edit.
// swift-format-ignore-file

extension WebAsset {
    static let chatPage = WebAsset(type: html, digest: "10054d6471ffe4bd8e0ad892cfb08888", text: #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="referrer" content="no-referrer">
  <title>Headgate: chat</title>
  <link rel="icon" href="/web/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/web/chat.css?v=a0244be4004bb6d9d1796f45704c2b71">
  <script src="/web/chat.js"></script>
</head>
<body>
  <a class="skip" href="#prompt">Skip to the message box</a>
  <nav class="rail" aria-label="Pages">
    <span class="brand" data-icon="gate"></span>
    <a href="/"><span data-icon="chat"></span>Chat</a>
    <a href="/status"><span data-icon="status"></span>Status</a>
    <a href="/status#usage"><span data-icon="usage"></span>Usage</a>
    <a href="/status#keys"><span data-icon="key"></span>Keys</a>
    <a href="/docs"><span data-icon="docs"></span>API docs</a>
    <span class="rail-space"></span>
    <button id="key-forget" type="button" title="Forget key" hidden><span data-icon="leave"></span>
      <span class="unseen">Forget key</span></button>
    <button data-theme-toggle type="button" title="Light or dark">
      <span class="if-light" data-icon="moon"></span><span class="if-dark" data-icon="sun"></span>
      <span class="if-light"><span class="unseen">Use dark colours</span></span>
      <span class="if-dark"><span class="unseen">Use light colours</span></span></button>
  </nav>
  <aside id="conversations" aria-label="Conversations">
    <div id="search-box" hidden><input id="search" type="search" placeholder="Search"
      aria-label="Search conversations" autocomplete="off"></div>
    <ul id="conversation-list"></ul>
    <p id="no-hits" class="faint" role="status"></p>
    <p id="no-conversations" class="faint">Your conversations are stored in this browser only.</p>
    <div class="row">
      <button id="export" type="button">Export</button>
      <button id="import" type="button">Import</button>
      <input id="import-file" type="file" accept="application/json,.json" aria-label="File to import" hidden>
    </div>
    <details id="shortcuts">
      <summary>Keyboard</summary>
      <dl>
        <dt><kbd>Enter</kbd></dt><dd>send</dd>
        <dt><kbd>Shift</kbd> <kbd>Enter</kbd></dt><dd>new line</dd>
        <dt><kbd>Esc</kbd></dt><dd>stop the answer, or editing</dd>
        <dt><kbd>/</kbd></dt><dd>to the message box</dd>
        <dt><kbd>Alt</kbd> <kbd>N</kbd></dt><dd>new chat</dd>
        <dt><kbd>Alt</kbd> <kbd>M</kbd></dt><dd>choose a model</dd>
        <dt><kbd>Alt</kbd> <kbd>I</kbd></dt><dd>system prompt</dd>
        <dt><kbd>Alt</kbd> <kbd>C</kbd></dt><dd>conversations</dd>
      </dl>
    </details>
  </aside>
  <div id="page">
    <header>
      <button id="toggle-conversations" type="button" class="icon-button" aria-controls="conversations"
        aria-expanded="true" aria-keyshortcuts="Alt+C" title="Conversations (Alt+C)"><span data-icon="menu"></span>
        <span class="unseen">Conversations</span></button>
      <h1>Headgate</h1>
      <button id="new-chat" type="button" aria-keyshortcuts="Alt+N" title="New chat (Alt+N)"><span
        data-icon="plus"></span> <span>New chat</span></button>
      <button id="settings-open" type="button" aria-controls="settings" aria-expanded="false"
        title="Settings of this chat"><span data-icon="settings"></span> <span>Settings</span><span
        id="settings-count"></span></button>
    </header>
    <main>
      <form id="key-form" hidden>
      <h2>Enter a key of this gateway</h2>
      <p class="faint">On the gateway's machine, this command opens the page with its key:
        <code>headgate open</code></p>
      <label for="key">Gateway key</label>
      <input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="hg-…" aria-describedby="key-notice key-help">
      <label class="check"><input id="key-remember" type="checkbox"> <span>Remember on this device</span></label>
      <p id="key-notice" role="alert"></p>
      <button type="submit" class="main">Use key</button>
      <p id="key-help" class="faint">Until this tab is closed, all pages of the gateway use the key.</p>
    </form>
      <div id="scroller" tabindex="0" role="region" aria-label="Messages">
        <div id="greeting">
          <h2>What would you like to know?</h2>
          <p class="faint">Your message goes to the gateway, and from there to the model that you choose.</p>
          <ul id="suggestions" aria-label="Suggestions">
            <li><button type="button">Explain how a stream of Server-Sent Events works.</button></li>
            <li><button type="button">Write a Python function that retries with a growing pause.</button></li>
            <li><button type="button">Compare SQLite and PostgreSQL in a table.</button></li>
            <li><button type="button">Draft a friendly reply to a late delivery.</button></li>
          </ul>
        </div>
        <p id="left-out" class="faint" hidden><span>The messages in grey are not sent any more.</span>
          <button id="send-all" type="button">Include them again</button></p>
        <ol id="messages"></ol>
      </div>
      <button id="to-latest" type="button" class="icon-button" aria-label="Jump to latest" title="Jump to latest"
        hidden><span data-icon="down"></span></button>
      <form id="composer">
        <p id="editing" hidden><span>You change a message: what you send becomes another branch.</span>
          <button id="edit-cancel" type="button">Cancel</button></p>
        <p id="file-doubt" role="status"></p>
        <p id="attach-notice" role="alert"></p>
        <div id="composer-box">
          <ul id="draft-files" class="attachments" aria-label="Files to be sent" hidden></ul>
          <label class="unseen" for="prompt">Message</label>
          <textarea id="prompt" rows="1" placeholder="Message" aria-keyshortcuts="/"></textarea>
          <div id="composer-bar">
            <button id="attach" type="button" class="icon-button" title="Attach files" aria-label="Attach files"><span
              data-icon="attach"></span></button>
            <button id="camera" type="button" class="icon-button" title="Take a picture"
              aria-label="Take a picture"><span data-icon="camera"></span></button>
            <div id="picker">
              <input id="model" type="text" role="combobox" aria-label="Model" aria-expanded="false"
                aria-controls="model-list" aria-autocomplete="list" aria-keyshortcuts="Alt+M" title="Model (Alt+M)"
                autocomplete="off" autocapitalize="off" spellcheck="false">
              <span data-icon="down"></span>
              <ul id="model-list" role="listbox" aria-label="Models" hidden></ul>
            </div>
            <button id="send" type="submit" aria-label="Send" title="Send"><span class="if-idle"
              data-icon="send"></span><span class="if-busy" data-icon="stop"></span></button>
          </div>
        </div>
        <div id="foot"><p id="context" hidden><span id="context-text"></span>
          <meter id="context-meter" aria-label="Part of the context that is used" hidden></meter></p></div>
        <input id="attach-files" type="file" multiple aria-label="Files to attach" hidden>
        <input id="attach-camera" type="file" accept="image/*" capture="environment" aria-label="Picture to attach"
          hidden>
      </form>
      <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
    </main>
  </div>
  <aside id="settings" aria-label="Settings" hidden>
    <div class="row"><h2>Settings of this chat</h2>
      <button id="settings-close" type="button" class="icon-button" aria-label="Close settings" title="Close"><span
        data-icon="close"></span></button></div>
    <label for="instructions">System prompt</label>
    <textarea id="instructions" rows="6" aria-label="System prompt of this chat"
      placeholder="What the model is told before the first message" aria-keyshortcuts="Alt+I"></textarea>
    <div class="row">
      <select id="preset" aria-label="Preset"></select>
      <button id="preset-keep" type="button">Save as preset…</button>
      <button id="preset-forget" type="button">Delete preset</button>
    </div>
    <div class="fields">
      <label><span>Temperature</span> <input id="temperature" type="number" min="0" max="2" step="any"
        inputmode="decimal" placeholder="default"></label>
      <label><span>Top-p</span> <input id="top-p" type="number" min="0" max="1" step="any" inputmode="decimal"
        placeholder="default"></label>
      <label><span>Max tokens</span> <input id="max-tokens" type="number" min="1" max="10000000" step="1"
        inputmode="numeric" placeholder="no limit"></label>
      <label><span>Context, in tokens</span> <input id="window" type="number" min="1" max="100000000" step="1"
        inputmode="numeric" placeholder="default"></label>
    </div>
    <label for="beside">Side by side with</label>
    <select id="beside"><option value="">no other model</option></select>
  </aside>
  <div id="toast" role="alert"></div>
</body>
</html>

"""#)
    static let statusPage = WebAsset(type: html, digest: "e1113ac47de92a623f69f6840d98dfa8", text: #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="referrer" content="no-referrer">
  <title>Headgate: status</title>
  <link rel="icon" href="/web/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/web/status.css?v=da295ca7ab2456e732903c9d93a675d5">
  <script src="/web/status.js"></script>
</head>
<body>
  <nav class="rail" aria-label="Pages">
    <span class="brand" data-icon="gate"></span>
    <a href="/"><span data-icon="chat"></span>Chat</a>
    <a href="/status"><span data-icon="status"></span>Status</a>
    <a href="/status#usage"><span data-icon="usage"></span>Usage</a>
    <a href="/status#keys"><span data-icon="key"></span>Keys</a>
    <a href="/docs"><span data-icon="docs"></span>API docs</a>
    <span class="rail-space"></span>
    <button id="key-forget" type="button" title="Forget key" hidden><span data-icon="leave"></span>
      <span class="unseen">Forget key</span></button>
    <button data-theme-toggle type="button" title="Light or dark">
      <span class="if-light" data-icon="moon"></span><span class="if-dark" data-icon="sun"></span>
      <span class="if-light"><span class="unseen">Use dark colours</span></span>
      <span class="if-dark"><span class="unseen">Use light colours</span></span></button>
  </nav>
  <main>
    <header>
      <h1 id="title">Status</h1>
      <nav class="tabs" aria-label="Views">
        <a href="#requests">Requests</a> <a href="#usage">Usage</a> <a href="#keys">Keys</a>
        <a href="#upstreams">Upstreams</a>
      </nav>
      <button id="pause" type="button" aria-pressed="false">Pause</button>
    </header>
    <form id="key-form" hidden>
      <h2>Enter a key of this gateway</h2>
      <p class="faint">On the gateway's machine, this command opens the page with its key:
        <code>headgate open</code></p>
      <label for="key">Gateway key</label>
      <input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="hg-…" aria-describedby="key-notice key-help">
      <label class="check"><input id="key-remember" type="checkbox"> <span>Remember on this device</span></label>
      <p id="key-notice" role="alert"></p>
      <button type="submit" class="main">Use key</button>
      <p id="key-help" class="faint">Until this tab is closed, all pages of the gateway use the key.</p>
    </form>
    <p id="notice" class="error" role="alert" hidden></p>
    <div id="shown" hidden>
      <div id="requests-view">
        <section aria-labelledby="money-title">
          <h2 id="money-title">Money</h2>
          <p id="money-notice" class="faint" hidden></p>
          <div id="money" class="cards">
            <article class="card" aria-labelledby="today-title"><h3 id="today-title">Today</h3>
              <p id="today" class="sum"></p><p id="today-use" class="faint"></p></article>
            <article class="card" aria-labelledby="month-title"><h3 id="month-title">This month</h3>
              <p id="month" class="sum"></p><p id="month-use" class="faint"></p></article>
            <article class="card wide" aria-labelledby="top-keys-title"><h3 id="top-keys-title">By key</h3>
              <table role="table"><thead><tr><th scope="col">Key</th><th scope="col" class="number">Today</th>
                <th scope="col" class="number">This month</th></tr></thead>
                <tbody id="top-keys"></tbody></table></article>
            <article class="card wide" aria-labelledby="top-models-title"><h3 id="top-models-title">By model</h3>
              <table role="table"><thead><tr><th scope="col">Model</th><th scope="col" class="number">Today</th>
                <th scope="col" class="number">This month</th></tr></thead>
                <tbody id="top-models"></tbody></table></article>
          </div>
        </section>
        <section id="budgets-section" aria-labelledby="budgets-title" hidden>
          <h2 id="budgets-title">Budgets</h2>
          <ul id="budgets" class="rows budgets"></ul>
        </section>
        <section aria-labelledby="health-title">
          <h2 id="health-title">Health</h2>
          <ul id="health" class="rows"></ul>
        </section>
        <section aria-labelledby="now-title">
          <h2 id="now-title">Now</h2>
          <dl id="figures"></dl>
        </section>
        <section aria-labelledby="charts-title">
          <h2 id="charts-title">At a glance</h2>
          <div id="charts" class="charts"></div>
        </section>
        <section aria-labelledby="recent-title">
          <h2 id="recent-title">Latest requests</h2>
          <p id="filters">
            <label><span>Model</span> <select id="only-model"><option value="">all</option></select></label>
            <label><span>Key</span> <select id="only-key"><option value="">all</option></select></label>
            <label><span>Outcome</span> <select id="only-outcome"><option value="">all</option></select></label>
          </p>
          <div class="table requests"><table role="table">
            <thead><tr><th scope="col">Ended</th><th scope="col">Outcome</th><th scope="col">Model</th>
              <th scope="col">Upstream</th><th scope="col">Key</th><th scope="col" class="number">Tokens</th>
              <th scope="col" class="number">Cost</th><th scope="col" class="number">First</th>
              <th scope="col" class="number">Duration</th></tr></thead>
            <tbody id="recent"></tbody>
          </table></div>
          <p id="no-requests" class="faint">No request has gone to an upstream yet.</p>
          <p><button id="more-requests" type="button" hidden>Show all</button></p>
        </section>
      </div>
      <div id="usage-view">
        <p id="usage-notice" class="faint" hidden></p>
        <div id="usage-shown" hidden>
          <section aria-labelledby="days-title">
            <h2 id="days-title">This month by day (UTC)</h2>
            <div id="days" class="charts"></div>
          </section>
          <section aria-labelledby="hour-title">
            <h2 id="hour-title">The last hour by minute</h2>
            <div id="hour" class="charts"></div>
          </section>
          <section aria-labelledby="usage-keys-title">
            <h2 id="usage-keys-title">By key</h2>
            <div class="table sums"><table role="table">
              <thead><tr><th scope="col">Key</th><th scope="col" class="number">Cost today</th>
                <th scope="col" class="number">Requests today</th><th scope="col" class="number">Tokens today</th>
                <th scope="col" class="number">Cost this month</th>
                <th scope="col" class="number">Requests this month</th>
                <th scope="col" class="number">Tokens this month</th></tr></thead>
              <tbody id="usage-keys"></tbody>
            </table></div>
          </section>
          <section aria-labelledby="usage-models-title">
            <h2 id="usage-models-title">By model</h2>
            <div class="table sums"><table role="table">
              <thead><tr><th scope="col">Model</th><th scope="col" class="number">Cost today</th>
                <th scope="col" class="number">Requests today</th><th scope="col" class="number">Tokens today</th>
                <th scope="col" class="number">Cost this month</th>
                <th scope="col" class="number">Requests this month</th>
                <th scope="col" class="number">Tokens this month</th></tr></thead>
              <tbody id="usage-models"></tbody>
            </table></div>
          </section>
          <p class="faint">≥ marks a cost of which a part is unknown, ≈ one that is estimated.</p>
        </div>
      </div>
      <section id="keys-view" aria-label="Keys">
        <p id="keys-notice" class="faint" hidden></p>
        <div id="keys-shown" hidden>
          <p><button id="key-add" type="button" class="main">Add a key</button></p>
          <div class="table keys"><table role="table">
            <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Budget</th>
              <th scope="col">Limits</th><th scope="col">Models</th><th scope="col">Expires</th>
              <th scope="col">Rotate</th><th scope="col">Revoke</th></tr></thead>
            <tbody id="keys-rows"></tbody>
          </table></div>
          <p><button id="keys-more" type="button" hidden>Show more keys</button></p>
        </div>
      </section>
      <div id="upstreams-view">
        <section aria-labelledby="upstreams-title">
          <h2 id="upstreams-title">Upstreams</h2>
          <div class="table"><table role="table">
            <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">State</th>
              <th scope="col" class="number">Requests</th><th scope="col" class="number">Streams</th>
              <th scope="col">Last error</th></tr></thead>
            <tbody id="upstreams-rows"></tbody>
          </table></div>
        </section>
        <section id="models-section" aria-labelledby="models-title" hidden>
          <h2 id="models-title">Models with several targets</h2>
          <div class="table"><table role="table">
            <thead><tr><th scope="col">Model</th><th scope="col">Upstream</th><th scope="col">Its name there</th>
              <th scope="col">State</th><th scope="col" class="number">Weight</th>
              <th scope="col" class="number">Requests</th><th scope="col" class="number">First</th></tr></thead>
            <tbody id="models"></tbody>
          </table></div>
        </section>
      </div>
    </div>
    <dialog id="request" aria-labelledby="request-title">
      <h2 id="request-title">Request</h2>
      <dl id="request-facts"></dl>
      <section id="attempts-section" aria-labelledby="attempts-title">
        <h3 id="attempts-title">Attempts</h3>
        <div class="table"><table role="table">
          <thead><tr><th scope="col">Upstream</th><th scope="col">Its name there</th><th scope="col">Result</th>
            <th scope="col" class="number">Took</th></tr></thead>
          <tbody id="attempts"></tbody>
        </table></div>
      </section>
      <div id="inspection" hidden></div>
      <button id="request-close" type="button">Close</button>
    </dialog>
    <dialog id="new-key" aria-labelledby="new-key-title">
      <h2 id="new-key-title">New key</h2>
      <form id="new-key-form" class="settings">
        <label><span>Name</span> <input name="name" required maxlength="64" autocomplete="off" spellcheck="false"
          placeholder="laptop"></label>
        <fieldset><legend>Budget</legend>
          <input name="budget" inputmode="decimal" autocomplete="off" placeholder="none" aria-label="Amount">
          <select name="budget-unit" aria-label="Unit"><option value="usd">dollars</option>
            <option value="tokens">tokens</option></select>
          <select name="budget-every" aria-label="Period"><option value="month">a month</option>
            <option value="week">a week</option><option value="day">a day</option>
            <option value="hour">an hour</option></select></fieldset>
        <fieldset><legend>Rate of requests</legend>
          <input name="requests" inputmode="numeric" autocomplete="off" placeholder="no limit" aria-label="Requests">
          <span>requests</span> <select name="requests-every" aria-label="Requests in each">
            <option value="m">a minute</option><option value="s">a second</option><option value="h">an hour</option>
            <option value="d">a day</option></select></fieldset>
        <fieldset><legend>Rate of tokens</legend>
          <input name="tokens" autocomplete="off" placeholder="no limit" aria-label="Tokens">
          <span>tokens</span> <select name="tokens-every" aria-label="Tokens in each">
            <option value="m">a minute</option><option value="s">a second</option><option value="h">an hour</option>
            <option value="d">a day</option></select></fieldset>
        <label><span>Requests at once</span> <input name="in_flight" type="number" min="1" step="1"
          placeholder="no limit"></label>
        <label><span>Models</span> <input name="models" placeholder="all" autocomplete="off" spellcheck="false"
          list="known-models"></label>
        <label><span>Group</span> <input name="group" placeholder="none" autocomplete="off" spellcheck="false"></label>
        <label><span>Priority</span> <select name="priority"><option value="">usual</option>
          <option value="batch">batch, behind all others</option></select></label>
        <label><span>Expires</span> <input name="expires" type="date"></label>
        <label class="check"><input name="admin" type="checkbox">
          <span>May see this page and manage keys</span></label>
        <datalist id="known-models"></datalist>
        <p role="alert" class="wrong"></p>
        <p><button type="submit" class="main">Make the key</button>
          <button id="new-key-cancel" type="button">Cancel</button></p>
      </form>
    </dialog>
    <dialog id="key-made" aria-labelledby="key-made-title">
      <h2 id="key-made-title">The key of <span id="made-name"></span></h2>
      <p>It is shown only now: the gateway stores its digest alone.</p>
      <p class="made"><input id="made-key" readonly aria-label="The key" spellcheck="false">
        <button id="made-copy" type="button">Copy</button></p>
      <h3>How to use this key</h3>
      <dl id="made-use"></dl>
      <p><button id="made-close" type="button" class="main">Close</button></p>
    </dialog>
    <dialog id="key-sure" aria-labelledby="sure-title">
      <h2 id="sure-title">Sure?</h2>
      <form id="sure-form">
        <p id="sure-text"></p>
        <p id="sure-grace-line"><label><span>The present key ends</span> <select id="sure-grace">
          <option value="">at once</option><option value="1h">in an hour</option><option value="1d">in a day</option>
          <option value="7d">in a week</option></select></label></p>
        <p role="alert" class="wrong"></p>
        <p><button id="sure-act" type="submit">Do it</button>
          <button id="sure-cancel" type="button">Cancel</button></p>
      </form>
    </dialog>
  </main>
</body>
</html>

"""#)
    static let docsPage = WebAsset(type: html, digest: "0da8bea60ccd7ec882a31fb9a9fab0cd", text: #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Headgate: routes</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="stylesheet" href="/web/docs.css?v=3c734ba960ed54a3475fce7371ef0d33">
  <link rel="icon" href="/docs/favicon-32x32.png">
  <script src="/web/theme.js"></script>
</head>
<body>
  <nav class="rail" aria-label="Pages">
    <span class="brand" data-icon="gate"></span>
    <a href="/"><span data-icon="chat"></span>Chat</a>
    <a href="/status"><span data-icon="status"></span>Status</a>
    <a href="/status#usage"><span data-icon="usage"></span>Usage</a>
    <a href="/status#keys"><span data-icon="key"></span>Keys</a>
    <a href="/docs"><span data-icon="docs"></span>API docs</a>
    <span class="rail-space"></span>
    <button id="key-forget" type="button" title="Forget key" hidden><span data-icon="leave"></span>
      <span class="unseen">Forget key</span></button>
    <button data-theme-toggle type="button" title="Light or dark">
      <span class="if-light" data-icon="moon"></span><span class="if-dark" data-icon="sun"></span>
      <span class="if-light"><span class="unseen">Use dark colours</span></span>
      <span class="if-dark"><span class="unseen">Use light colours</span></span></button>
  </nav>
  <div id="swagger-ui"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js" type="module"></script>
</body>
</html>

"""#)

    /// Files that the pages load, by name.
    static let all: [String: WebAsset] = [
        "chat.css": WebAsset(type: style, digest: "a0244be4004bb6d9d1796f45704c2b71", text: #"""
/* What all pages share, the routes' too: colours of both themes, and the rail that leads from page to page. */
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfbf9, #15191c);
  --raised: light-dark(#ffffff, #1e2428);
  --sunk: light-dark(#eef1f0, #101315);
  --line: light-dark(#dbe0df, #323b40);
  --edge: light-dark(#87938f, #69767c);
  --ink: light-dark(#1a2225, #e6ebec);
  --faint: light-dark(#55636a, #a3b1b7);
  --accent: light-dark(#0b5c6b, #7cd4e3);
  --on-accent: light-dark(#ffffff, #08272d);
  --own: light-dark(#e3f1f3, #17424b);
  --bad: light-dark(#a3201b, #ff9c94);
  --bad-back: light-dark(#fdecea, #3a1c1a);
  --good: light-dark(#1f6b38, #7fd49a);
  --warn: light-dark(#7a5200, #ecc06c);
  --code-word: light-dark(#7a2a8c, #dca6ec);
  --text: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans CJK JP",
    "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding-left: 4.75rem; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { display: block; width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; stroke-linejoin: round; }
[data-icon] { display: inline-block; width: 1.25em; height: 1.25em; flex: none; }
.dark-mode .if-light, :root:not(.dark-mode) .if-dark { display: none; }

.rail { position: fixed; z-index: 4; inset: 0 auto 0 0; width: 4.75rem; display: flex; flex-direction: column;
  align-items: stretch; gap: 0.25rem; padding: 0.75rem 0.4rem; box-sizing: border-box; font: var(--text);
  background: var(--raised); border-right: 1px solid var(--line); overflow-y: auto; }
.rail a, .rail button { display: flex; flex-direction: column; align-items: center; gap: 0.2rem;
  padding: 0.45rem 0.1rem;
  border: 0; border-radius: 10px; background: none; color: var(--faint); font-size: 0.72rem; line-height: 1.2;
  text-decoration: none; cursor: pointer; }
.rail a:hover, .rail button:hover { background: var(--sunk); color: var(--ink); }
.rail a[aria-current] { background: var(--own); color: var(--accent); font-weight: 600; }
.rail [data-icon] { font-size: 1.05rem; }
.rail .brand { align-self: center; margin: 0 0 0.6rem; font-size: 1.5rem; color: var(--accent); }
.rail-space { flex: 1; }
.rail :focus-visible { outline: 3px solid var(--accent); outline-offset: -2px; }
@media (max-width: 49.99rem) {
  body { padding-left: 0; padding-bottom: 3.5rem; }
  .rail { inset: auto 0 0 0; width: auto; height: 3.5rem; flex-direction: row; gap: 0; padding: 0.2rem 0.25rem;
    border-right: 0; border-top: 1px solid var(--line); overflow: hidden; }
  .rail a, .rail button { flex: 1 1 0; min-width: 0; justify-content: center; padding: 0.2rem 0; white-space: nowrap; }
  .rail .brand, .rail-space { display: none; }
}
/* What chat and status share: the parts they are made of. */
:root { font: var(--text); color: var(--ink); background: var(--page); }
* { box-sizing: border-box; }
h1 { font-size: 1.1rem; margin: 0; }
a { color: var(--accent); }
code, pre, kbd { font-family: var(--mono); font-size: 0.9em; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; background: var(--sunk); }
button, select, input, textarea { font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; padding: 0.35rem 0.7rem; }
input, select, textarea { border-color: var(--edge); }
::placeholder { color: var(--faint); opacity: 1; }
button { cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--faint); cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.faint { color: var(--faint); }
.error { color: var(--bad); background: var(--bad-back); border-radius: 8px; padding: 0.5rem 0.75rem; }
.error p { margin: 0 0 0.4rem; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--raised); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 3; }
button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; }
/* One card in the middle of the page, as nothing else can be done without the key. */
#key-form { display: grid; gap: 0.75rem; width: min(26rem, 100% - 2rem); margin: 12vh auto 2rem; padding: 1.5rem;
  border: 1px solid var(--line); border-radius: 14px; background: var(--raised);
  box-shadow: 0 8px 30px rgb(0 0 0 / 8%); }
#key-form p { margin: 0; }
#key-form h2 { margin: 0; font-size: 1.2rem; }
#key-form label:not(.check) { font-weight: 600; margin-bottom: -0.5rem; }
#key-notice:empty { display: none; }
#key-notice, .wrong { color: var(--bad); }
.wrong:empty { display: none; }
#toast { position: fixed; z-index: 6; left: 50%; bottom: 5rem; transform: translateX(-50%); display: flex; gap: 0.75rem;
  align-items: center; width: max-content; max-width: min(34rem, calc(100vw - 2rem));
  padding: 0.6rem 0.6rem 0.6rem 1rem;
  border-radius: 10px; background: var(--ink); color: var(--page); box-shadow: 0 6px 24px rgb(0 0 0 / 25%); }
#toast:empty { display: none; }
#toast button { border-color: transparent; background: none; color: inherit; text-decoration: underline; }
#toast .close { padding: 0.25rem; text-decoration: none; }
#toast :focus-visible { outline-color: var(--page); }
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
/* The chat: conversations, messages, what is to be sent, and the drawer of settings. */
html, body { height: 100%; }
body { display: flex; overflow: hidden; }
#page { flex: 1; min-width: 0; display: flex; flex-direction: column; }
header { display: flex; align-items: center; gap: 0.5rem; padding: 0.5rem 1rem; }
header h1 { flex: 1; min-width: 0; }
header button, .menu button { display: inline-flex; align-items: center; gap: 0.4rem; }
header button { border-color: transparent; background: none; }
header button:hover { background: var(--sunk); }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; position: relative; }
.icon-button { display: inline-grid; place-items: center; padding: 0.45rem; border-color: transparent;
  background: none; }
.icon-button:hover:not(:disabled) { background: var(--sunk); }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
summary { cursor: pointer; color: var(--faint); }

aside { display: flex; flex-direction: column; width: 17rem; flex: none; overflow-y: auto; padding: 0.75rem;
  background: var(--raised);
  border-right: 1px solid var(--line); }
#conversation-list { flex: 1; list-style: none; margin: 0 0 0.75rem; padding: 0; }
#no-conversations { order: -1; margin: 0.5rem 0.25rem; }
.day { margin: 0.9rem 0.6rem 0.25rem; font-size: 0.75rem; font-weight: 600; color: var(--faint); }
.entry { position: relative; display: flex; align-items: center; }
.entry .title { flex: 1; min-width: 0; padding: 0.35rem 2.2rem 0.35rem 0.6rem; text-align: left;
  border-color: transparent;
  background: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.entry .title:hover { background: var(--sunk); }
.entry .title[aria-current] { background: var(--own); }
.entry > input { flex: 1; min-width: 0; }
.menu { position: absolute; right: 0.2rem; }
.menu summary { display: grid; place-items: center; width: 1.8rem; height: 1.8rem; border-radius: 6px; list-style: none;
  opacity: 0; }
.menu summary::-webkit-details-marker { display: none; }
.menu summary:hover { background: var(--line); }
.entry:hover .menu summary, .menu:focus-within summary, .menu[open] summary { opacity: 1; }
.menu > div { position: absolute; z-index: 3; right: 0; top: 100%; display: grid; min-width: 9rem; padding: 0.3rem;
  border: 1px solid var(--line); border-radius: 10px; background: var(--raised);
  box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
.menu button { border-color: transparent; background: none; }
.menu button:hover { background: var(--sunk); }
#search-box input { width: 100%; }
#no-hits:empty, #attach-notice:empty, #file-doubt:empty { display: none; }
#shortcuts { margin-top: 1rem; color: var(--faint); font-size: 0.9rem; }
#shortcuts dl { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 0.75rem; }
#shortcuts dd { margin: 0; }

#settings { width: 20rem; border: 0; border-left: 1px solid var(--line); padding: 0.75rem 1rem; }
#settings h2 { flex: 1; margin: 0; font-size: 1rem; }
#settings > label { display: block; margin-top: 1rem; }
#settings label { font-size: 0.9rem; font-weight: 600; }
#settings textarea { width: 100%; resize: vertical; margin-bottom: 0.4rem; }
#settings select { max-width: 100%; }
#settings > select { width: 100%; }
#settings .row button { font-size: 0.9rem; }
.fields { display: grid; grid-template-columns: 1fr 1fr; align-items: end; gap: 0.75rem;
  margin-top: 1rem; }
.fields input { display: block; width: 100%; min-width: 0; font-weight: 400; }

#scroller { flex: 1; min-height: 0; overflow-y: auto; padding: 0.5rem 1rem 1rem; overflow-wrap: break-word;
  scrollbar-gutter: stable both-edges; }
#greeting, #left-out, #composer { width: 100%; max-width: 46rem; margin-inline: auto; }
#greeting { padding-top: 14vh; text-align: center; }
#greeting h2 { margin: 0; font-size: 1.6rem; font-weight: 600; }
#suggestions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; margin: 1.75rem 0 0; padding: 0;
  list-style: none; }
#suggestions button { width: 100%; height: 100%; padding: 0.75rem 1rem; text-align: left; border-radius: 12px; }
#left-out { text-align: center; }
#key-form:not([hidden]) ~ #scroller #greeting { display: none; }
#to-latest { position: absolute; z-index: 1; left: 50%; bottom: 9rem; transform: translateX(-50%);
  border: 1px solid var(--line);
  border-radius: 50%; background: var(--raised); box-shadow: 0 2px 10px rgb(0 0 0 / 15%); }

#composer { padding: 0 1rem; box-sizing: content-box; max-width: min(46rem, 100% - 2rem); }
#composer > p { margin: 0 0 0.4rem; }
#editing { color: var(--faint); }
#attach-notice { color: var(--bad); }
#composer-box { position: relative; border: 1px solid var(--edge); border-radius: 18px; background: var(--raised);
  box-shadow: 0 2px 12px rgb(0 0 0 / 5%); }
#composer-box:focus-within { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
#prompt { display: block; width: 100%; max-height: 40vh; padding: 0.8rem 1rem 0.2rem; resize: none; border: 0;
  outline: 0;
  background: none; field-sizing: content; }
#composer-bar { display: flex; align-items: center; gap: 0.15rem; padding: 0.3rem 0.5rem 0.5rem; }
#picker { display: flex; align-items: center; min-width: 0; margin-right: auto; }
#model { min-width: 0; padding: 0.3rem 1.9rem 0.3rem 0.6rem; font-size: 0.9rem; border-color: transparent;
  background: none; color: var(--faint); text-overflow: ellipsis; cursor: pointer; field-sizing: content;
  max-width: 15rem; }
#model:hover, #model:focus { background: var(--sunk); color: var(--ink); }
#model:focus { cursor: text; }
#picker > [data-icon] { margin-left: -1.6rem; font-size: 0.8rem; color: var(--faint); pointer-events: none; }
#model-list { position: absolute; z-index: 3; left: 0; bottom: calc(100% + 0.4rem); width: min(34rem, 100%);
  max-height: min(24rem, 50vh); margin: 0; padding: 0.3rem; overflow-y: auto; list-style: none;
  border: 1px solid var(--line);
  border-radius: 12px; background: var(--raised); box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
#model-list li { display: flex; flex-wrap: wrap; gap: 0 0.5rem; align-items: center; padding: 0.4rem 0.7rem;
  border-radius: 8px; cursor: pointer; }
#model-list li.active, #model-list li:hover { background: var(--sunk); }
#model-list li[aria-selected="true"] .model-name { color: var(--accent); font-weight: 600; }
.model-name { overflow-wrap: anywhere; }
#model-list .faint { flex-basis: 100%; font-size: 0.8rem; }
.badge { padding: 0 0.5rem; border-radius: 99px; font-size: 0.75rem; background: var(--own); }
#send { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; padding: 0; border: 0; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); }
#send.stop { background: var(--ink); color: var(--page); }
#send:not(.stop) .if-busy, #send.stop .if-idle { display: none; }
#foot { min-height: 1.7rem; padding: 0.2rem 0.75rem; }
#context { display: flex; align-items: center; gap: 0.5rem; margin: 0; font-size: 0.78rem; color: var(--faint); }
#context.full { color: var(--bad); }
#context-meter { width: 6rem; height: 0.8rem; }
.attachments { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.4rem 0; padding: 0; }
#draft-files { margin: 0.6rem 0.75rem 0; }
.attachments li { display: flex; align-items: center; gap: 0.5rem; max-width: 100%; padding: 0.25rem 0.5rem;
  font-size: 0.85rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.attachments .file-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.attachments .preview { max-width: 8rem; max-height: 6rem; border-radius: 4px; }
.attachments button { padding: 0.15rem; border: 0; background: none; }

@media (max-width: 74.99rem) {
  #settings { position: fixed; z-index: 5; inset: 0 0 0 auto; width: min(22rem, 92vw);
    box-shadow: 0 0 24px rgb(0 0 0 / 35%); }
}
@media (max-width: 49.99rem) {
  body { box-sizing: border-box; }
  header { padding: 0.3rem 0.5rem; gap: 0.1rem; }
  #scroller { padding-inline: 0.75rem; }
  #composer { padding: 0; max-width: calc(100% - 1.5rem); }
  #suggestions { grid-template-columns: 1fr; }
  #greeting { padding-top: 4vh; }
  aside { position: fixed; z-index: 3; inset: 0 auto 3.5rem 0; width: min(20rem, 90vw);
    box-shadow: 0 0 24px rgb(0 0 0 / 35%); }
  #model { max-width: 9rem; }
}
@media (hover: none) {
  .menu summary { opacity: 1; }
}
/* A camera is worth a button where it is in the hand. */
@media (pointer: fine) {
  #camera { display: none; }
}
/* The messages of the chat, unboxed in one column, and what Markdown makes of an answer. */
#messages { list-style: none; max-width: 46rem; margin: 0 auto; padding: 0; display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem 1.5rem; }
/* Answers side by side have the full width. */
#messages:has(> .beside) { max-width: 92rem; }
#messages > li { display: flex; grid-column: 1 / -1; min-width: 0; }
#messages > .beside { grid-column: auto; }
#messages > .other .bubble { border-left: 3px solid var(--line); padding-left: 0.9rem; }
#messages > .out { opacity: 0.75; }
#messages:has(> .beside) > li:not(.beside) { width: 100%; max-width: 46rem; margin: 0 auto; }
.bubble { min-width: 0; }
.bubble.user { margin-left: auto; max-width: 85%; }
.bubble.user .text { padding: 0.5rem 0.95rem; border-radius: 16px; background: var(--own); }
.bubble.user .author { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.bubble.user .actions, .bubble.user .attachments { justify-content: flex-end; }
/* As wide as it can become from its first word on. */
.bubble.assistant { flex-grow: 1; }
.bubble.live .text:empty::before { content: "…"; color: var(--faint); }
.author { margin: 0; font-size: 0.8rem; font-weight: 600; color: var(--faint); }
.bubble.live .author::after { content: ""; display: inline-block; width: 0.5rem; height: 0.5rem; margin-left: 0.5rem;
  border-radius: 50%; background: var(--accent); }
.plain { white-space: pre-wrap; margin: 0; }
.notes p { margin: 0.25rem 0 0; }
.notes .error { margin-top: 0.5rem; }
.notes .cut { color: var(--warn); font-size: 0.9rem; }
.error button { display: inline-flex; align-items: center; gap: 0.4rem; }
/* Only the last answer can be asked for again in its place: what follows an older one stays. */
#messages > li:not(.tail) .error button { display: none; }
.error .words { overflow-wrap: anywhere; }
/* Their room is there from the first word on, so that nothing moves when they come. */
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.1rem; min-height: 2rem; font-size: 0.85rem;
  color: var(--faint); }
.actions > * { opacity: 0; transition: opacity 0.12s; }
#messages > li:hover .actions > *, #messages > li:focus-within .actions > *, #messages > .tail .actions > *,
.actions > .versions { opacity: 1; }
@media (hover: none) {
  .actions > * { opacity: 1; }
}
.actions button, .actions select { display: inline-grid; place-items: center; padding: 0.35rem;
  border-color: transparent;
  background: none; color: inherit; }
.actions button:hover:not(:disabled), .actions select:hover { background: var(--sunk); color: var(--ink); }
.actions select { max-width: 8rem; padding: 0.2rem 0.3rem; }
.actions option { background: var(--raised); color: var(--ink); }
.actions .worded { padding: 0.2rem 0.6rem; border-color: var(--line); opacity: 1; }
.versions { display: inline-flex; align-items: center; font-variant-numeric: tabular-nums; }
/* Nothing else is asked while an answer comes. */
#messages.busy .act { visibility: hidden; }
.figures { position: relative; }
.tip { position: absolute; z-index: 2; left: 0; bottom: calc(100% + 0.3rem); display: grid; width: max-content;
  max-width: min(24rem, 80vw); padding: 0.4rem 0.7rem; border-radius: 8px; text-align: left; font-size: 0.8rem;
  background: var(--ink); color: var(--page); visibility: hidden; }
.figures:hover .tip, .figures:focus .tip { visibility: visible; }
.reasoning, .tool { border-left: 3px solid var(--line); padding-left: 0.6rem; margin: 0.4rem 0; }
.reasoning p, .tool pre { color: var(--faint); margin: 0.3rem 0; }

.text > :first-child { margin-top: 0.2rem; }
.text > :last-child { margin-bottom: 0.2rem; }
.text h3, .text h4, .text h5, .text h6 { margin: 0.8rem 0 0.3rem; font-size: 1.05rem; }
.text p { margin: 0.5rem 0; }
.text blockquote { margin: 0.5rem 0; padding-left: 0.8rem; border-left: 3px solid var(--line); color: var(--faint); }
.text li.task { list-style: none; margin-left: -1.4rem; }
.text li > input { margin-right: 0.4rem; }
.text li > input + div { display: inline; }
.text code { background: var(--sunk); border-radius: 4px; padding: 0.1em 0.3em; }
.code { margin: 0.6rem 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.code figcaption { display: flex; justify-content: space-between; align-items: center;
  padding: 0.2rem 0.4rem 0.2rem 0.75rem;
  font-size: 0.8rem; color: var(--faint); border-bottom: 1px solid var(--line); }
.code figcaption button { padding: 0.1rem 0.6rem; }
.code pre { margin: 0; padding: 0.6rem 0.75rem; overflow-x: auto; background: var(--sunk); overflow-wrap: normal; }
.code pre code { padding: 0; background: none; }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--faint); }
.hljs-keyword, .hljs-selector-tag, .hljs-name, .hljs-built_in { color: var(--code-word); }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-attr, .hljs-attribute { color: var(--good); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet, .hljs-variable { color: var(--warn); }
.hljs-title, .hljs-section, .hljs-type, .hljs-link, .hljs-selector-class { color: var(--accent); }
.hljs-deletion { color: var(--bad); }
.hljs-strong { font-weight: 600; }
.hljs-emphasis { font-style: italic; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
/* A table that is too wide is scrolled: no word is split. */
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; overflow-wrap: normal; }
.formula { overflow-x: auto; margin: 0.4rem 0; padding: 0.25rem 0; }
.formula math { display: block math; margin: 0 auto; width: max-content; }
.formula .source { font-family: var(--mono); font-size: 0.9em; }
math .left { text-align: left; }
math .right { text-align: right; }
mtd { padding: 0.15em 0.3em; border: 0; }
.center { text-align: center; }
.right { text-align: right; }

@media (max-width: 49.99rem) {
  #messages > .beside { grid-column: 1 / -1; }
}
@media (prefers-reduced-motion: no-preference) {
  .bubble.live .author::after { animation: breathe 1s ease-in-out infinite alternate; }
  @keyframes breathe { from { opacity: 0.25; } to { opacity: 1; } }
}

"""#),
        "chat.js": WebAsset(type: script, digest: "350cc8c31f2458ad546e94af8ce5d64d", text: #"""
// Light or dark: as the system has it until the reader chooses. Runs before the page is painted, so it is no module.
"use strict";

(() => {
  const place = "headgate.theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem(place);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(place, theme);
    } catch {
      // It holds for this page, then.
    }
  };

  if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();
  const shown = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
  // Swagger UI, on the page of the routes, knows the theme by a class; so do the two faces of the button.
  const mark = () => root.classList.toggle("dark-mode", shown() === "dark");
  mark();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      mark();
    });
    system.addEventListener("change", mark);
  });
})();
addEventListener("DOMContentLoaded", () => {
"use strict";
const module_dom = (() => {
// Elements are made here: text enters the page as text nodes, never as markup.

/**
 * An element with attributes and children. Functions become listeners, false and null leave an attribute out; strings
 * become text.
 */
function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

/** The same for drawings. */
function shape(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** The same for formulas. */
function formula(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/1998/Math/MathML", name), attributes, children);
}

const find = (id) => document.getElementById(id);

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Combining marks on one character: drawing time grows with the square of their number. */
const longMarks = /\p{M}{200}/u;

const hasLongMarks = (text) => longMarks.test(text);

/** Where to cut a text at `end` or just behind it, so that no character is cut in two. */
const whole = (text, end) => (/[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end);

/** The nodes of an untrusted text, split where it would take too long to draw. */
function plainNodes(text) {
  if (!hasLongMarks(text)) return [text];
  const nodes = [];
  for (let at = 0; at < text.length;) {
    const end = whole(text, at + 200);
    nodes.push(element("span", {}, text.slice(at, end)));
    at = end;
  }
  return nodes;
}
return { element, shape, formula, find, hasLongMarks, whole, plainNodes };
})();
const module_words_ja = (() => {
// The pages in Japanese, by their English texts.

const japanese = {
  "(not in this browser)": "（このブラウザーにはありません）",
  ", admin": "、管理者",
  ", key {number}": "、キー{number}",
  ", shutting down": "、終了中",
  ", {resting} of {count} keys resting": "、{count}個中{resting}個のキーが休止中",
  "1 conversation imported.": "1件の会話を読み込みました。",
  "1 conversation was here already.": "1件の会話はすでにありました。",
  "A key has only letters, digits and signs, without spaces.": "キーに使えるのは英字、数字、記号だけです。空白は使えません。",
  "API docs": "API資料",
  "Add a key": "キーを追加",
  "Amount": "金額",
  "Answer of {author}": "{author}の回答",
  "Answering.": "回答しています。",
  "Arguments": "引数",
  "Assistant": "アシスタント",
  "At a glance": "概観",
  "Attach files": "ファイルを添付",
  "At most {count} files go with a message.": "1つのメッセージに添付できるファイルは{count}個までです。",
  "Attachments": "添付ファイル",
  "Attempts": "試行",
  "Budget": "予算",
  "Budgets": "予算",
  "By key": "キー別",
  "By model": "モデル別",
  "Cancel": "キャンセル",
  "Chat": "チャット",
  "Close": "閉じる",
  "Close settings": "設定を閉じる",
  "Compare SQLite and PostgreSQL in a table.": "SQLiteとPostgreSQLを表で比べてください。",
  "Context, in tokens": "コンテキスト（トークン）",
  "Continue with this one": "この回答で続ける",
  "Conversations": "会話",
  "Conversations (Alt+C)": "会話 (Alt+C)",
  "Copy": "コピー",
  "Cost": "費用",
  "Cost this month": "今月の費用",
  "Cost today": "今日の費用",
  "Delete": "削除",
  "Delete preset": "プリセットを削除",
  "Delete {name}": "{name}を削除",
  "Dismiss": "閉じる",
  "Do it": "実行",
  "Draft a friendly reply to a late delivery.": "配達の遅れに対する丁寧な返信を書いてください。",
  "Drop the oldest and try again": "古い部分を省いて再試行",
  "Duration": "所要時間",
  "Duration by outcome": "結果別の所要時間",
  "Ended": "終了",
  "Enter a key of this gateway": "このゲートウェイのキーを入力",
  "Expires": "有効期限",
  "Explain how a stream of Server-Sent Events works.": "Server-Sent Eventsの仕組みを説明してください。",
  "Export": "書き出す",
  "File to import": "読み込むファイル",
  "Files to attach": "添付するファイル",
  "Files to be sent": "送信するファイル",
  "First": "最初の内容",
  "Forget key": "キーを消去",
  "Gateway key": "ゲートウェイのキー",
  "Group": "グループ",
  "Headgate: chat": "Headgate: チャット",
  "Headgate: routes": "Headgate: API",
  "Headgate: status": "Headgate: 状態",
  "Health": "稼働状況",
  "How to use this key": "このキーの使い方",
  "Import": "読み込む",
  "Include them again": "再び含める",
  "It gets another key. Name, limits and what was made with it stay.": "新しいキーになります。名前、制限、これまでの記録は残ります。",
  "It is shown only now: the gateway stores its digest alone.": "表示は今回だけです。ゲートウェイはダイジェストだけを保存します。",
  "Its name there": "そこでの名前",
  "Jump to latest": "最新へ移動",
  "Key": "キー",
  "Keyboard": "キーボード",
  "Keys": "キー",
  "Kind": "種類",
  "Last error": "最後のエラー",
  "Last seven days": "過去7日間",
  "Latest requests": "最新のリクエスト",
  "Light or dark": "明るい・暗い",
  "Limits": "制限",
  "Make the key": "キーを作成",
  "Max tokens": "最大トークン数",
  "May see this page and manage keys": "このページの閲覧とキーの管理を許可",
  "Message": "メッセージ",
  "Messages": "メッセージ",
  "Model": "モデル",
  "Model (Alt+M)": "モデル (Alt+M)",
  "Models": "モデル",
  "Models with several targets": "複数の送信先を持つモデル",
  "Models: needs a key": "モデル: キーが必要です",
  "Models: not listed": "モデル: 一覧がありません",
  "Money": "費用",
  "Name": "名前",
  "Name of the preset": "プリセットの名前",
  "New chat": "新しいチャット",
  "New chat (Alt+N)": "新しいチャット (Alt+N)",
  "New key": "新しいキー",
  "New title": "新しいタイトル",
  "No conversation has these words.": "この語を含む会話はありません。",
  "No presets yet": "プリセットなし",
  "No request has gone to an upstream yet.": "上流へのリクエストはまだありません。",
  "None of the last requests is like that.": "該当するリクエストはありません。",
  "Not every model takes PDF: {models} might refuse it.": "PDFを受け付けないモデルがあります: {models}は拒否するかもしれません。",
  "Nothing older is left to drop: shorten the message, or take a model with a larger context.":
    "省ける古い部分がありません。メッセージを短くするか、コンテキストの大きいモデルを選んでください。",
  "Nothing was exported: {reason}.": "書き出せませんでした: {reason}",
  "Nothing was imported: the browser's storage is full.": "読み込めませんでした: ブラウザーの保存領域がいっぱいです。",
  "Nothing was imported: {reason}": "読み込めませんでした: {reason}",
  "Nothing was imported: {reason}.": "読み込めませんでした: {reason}",
  "Now": "現在",
  "On the gateway's machine, this command opens the page with its key:": "ゲートウェイのあるマシンでは、次のコマンドがキー付きでこのページを開きます:",
  "Options of {name}": "{name}の操作",
  "Outcome": "結果",
  "Pages": "ページ",
  "Part of the context that is used": "使用中のコンテキストの割合",
  "Pause": "一時停止",
  "Period": "期間",
  "Picture to attach": "添付する写真",
  "Preset": "プリセット",
  "Preset…": "プリセット…",
  "Priority": "優先度",
  "Rate of requests": "リクエストの上限",
  "Rate of tokens": "トークンの上限",
  "Reasoning": "思考",
  "Regenerate with another model": "別のモデルで再生成",
  "Regenerate with…": "別のモデルで再生成…",
  "Remember on this device": "この端末に保存",
  "Remove": "取り除く",
  "Remove {name}": "{name}を取り除く",
  "Rename": "名前を変更",
  "Rename {name}": "{name}の名前を変更",
  "Request": "リクエスト",
  "Requests": "リクエスト",
  "Requests at once": "同時リクエスト数",
  "Requests in each": "リクエストの単位時間",
  "Requests this month": "今月のリクエスト",
  "Requests today": "今日のリクエスト",
  "Requests with it are refused from now on. Those in flight end as usual.": "以後このキーのリクエストは拒否されます。処理中のものは通常どおり終わります。",
  "Result": "結果",
  "Resume": "再開",
  "Revoke": "失効",
  "Revoke {name}": "{name}を失効",
  "Revoke {name}?": "{name}を失効しますか?",
  "Rotate": "更新",
  "Rotate {name}": "{name}を更新",
  "Rotate {name}?": "{name}を更新しますか?",
  "Save as preset…": "プリセットとして保存…",
  "Search": "検索",
  "Search conversations": "会話を検索",
  "Send": "送信",
  "Settings": "設定",
  "Settings of this chat": "このチャットの設定",
  "Show all": "すべて表示",
  "Show all {count}": "{count}件すべて表示",
  "Show more keys": "さらに表示",
  "Side by side with": "並べて比べるモデル",
  "Skip to the message box": "メッセージ欄へ移動",
  "State": "状態",
  "Status": "状態",
  "Stop": "停止",
  "Stopped.": "停止しました。",
  "Streams": "ストリーム",
  "Streams in flight": "処理中のストリーム",
  "Suggestions": "例",
  "Sure?": "よろしいですか?",
  "System prompt": "システムプロンプト",
  "System prompt of this chat": "このチャットのシステムプロンプト",
  "Take a picture": "写真を撮る",
  "Temperature": "温度",
  "The answer broke off before its end.": "回答が途中で切れました。",
  "The answer broke off.": "回答が途切れました。",
  "The answer failed.": "回答に失敗しました。",
  "The answer holds an event that is not JSON.": "回答にJSONでないイベントがあります。",
  "The connection broke before the answer's end.": "回答の途中で接続が切れました。",
  "The conversation was deleted in another tab.": "この会話は別のタブで削除されました。",
  "The file cannot be read: it is gone, or larger than this browser reads at once.": "ファイルを読めません。なくなったか、大きすぎます。",
  "The file is larger than 1 GiB.": "ファイルが1 GiBを超えています。",
  "The file is not JSON.": "ファイルがJSONではありません。",
  "The file is not an export of conversations.": "会話の書き出しファイルではありません。",
  "The gateway answered with status {status}.": "ゲートウェイの応答: ステータス{status}",
  "The gateway cannot be reached. Is it running?": "ゲートウェイに接続できません。起動していますか?",
  "The gateway does not know this key.": "ゲートウェイが知らないキーです。",
  "The key": "キー",
  "The key of": "キーの名前:",
  "The last hour by minute": "直近1時間（分別）",
  "The messages in grey are not sent any more.": "灰色のメッセージは送信されません。",
  "The model refused.": "モデルが拒否しました。",
  "The page failed to show the answer.": "回答を表示できませんでした。",
  "The present key ends": "現在のキーの終了",
  "The preset is not stored: the browser's storage is full or closed.": "プリセットを保存できません。保存領域がいっぱいか、使えません。",
  "There are more: 'headgate key list' shows all of them.": "ほかにもあります。'headgate key list' がすべて表示します。",
  "This conversation is not stored: the browser's storage is full or closed to this page.":
    "この会話は保存されません。ブラウザーの保存領域がいっぱいか、使えません。",
  "This month": "今月",
  "This month by day (UTC)": "今月（日別、UTC）",
  "Time to the first content": "最初の内容までの時間",
  "Together they are too large: at most {count} MiB go with a message.":
    "合計サイズが大きすぎます。1つのメッセージに添付できるのは{count} MiBまでです。",
  "Today": "今日",
  "Tokens": "トークン",
  "Tokens in each": "トークンの単位時間",
  "Tokens this month": "今月のトークン",
  "Tokens today": "今日のトークン",
  "Too long:": "長すぎます:",
  "Took": "所要時間",
  "Tool call:": "ツール呼び出し:",
  "Top-p": "Top-p",
  "Total": "合計",
  "Try again": "再試行",
  "Try again in {count} s.": "{count}秒後に再試行してください。",
  "Undo": "元に戻す",
  "Unit": "単位",
  "Until this tab is closed, all pages of the gateway use the key.": "このタブを閉じるまで、ゲートウェイの全ページがこのキーを使います。",
  "Untitled": "無題",
  "Upstream": "上流",
  "Upstreams": "上流",
  "Usage": "使用量",
  "Use dark colours": "暗い配色にする",
  "Use key": "キーを使う",
  "Use light colours": "明るい配色にする",
  "Version {number} of {count}": "{count}件中{number}件目",
  "Views": "表示",
  "Weight": "重み",
  "What the model is told before the first message": "最初のメッセージの前にモデルへ伝える内容",
  "What would you like to know?": "何を知りたいですか?",
  "With…": "モデル…",
  "Write a Python function that retries with a growing pause.": "間隔を延ばしながら再試行するPython関数を書いてください。",
  "Yesterday": "昨日",
  "You": "あなた",
  "You change a message: what you send becomes another branch.": "メッセージを変更しています。送信すると別の枝になります。",
  "Your conversations are stored in this browser only.": "会話はこのブラウザーだけに保存されます。",
  "Your message goes to the gateway, and from there to the model that you choose.": "メッセージはゲートウェイを通って、選んだモデルに送られます。",
  "a day": "1日に",
  "a minute": "1分に",
  "a month": "1か月に",
  "a second": "1秒に",
  "a week": "1週間に",
  "all": "すべて",
  "all requests": "すべてのリクエスト",
  "an hour": "1時間に",
  "answers": "応答あり",
  "at once": "すぐに",
  "batch, behind all others": "バッチ、ほかのすべての後",
  "breaker open until {time}": "{time}まで遮断",
  "cache": "キャッシュ",
  "choose a model": "モデルを選ぶ",
  "conversations": "会話",
  "default": "既定",
  "dollars": "ドル",
  "expired": "期限切れ",
  "fails its checks": "検査に失敗",
  "first after {time}": "最初まで{time}",
  "free": "無料",
  "group {name}": "グループ{name}",
  "in a day": "1日後",
  "in a week": "1週間後",
  "in an hour": "1時間後",
  "in the configuration": "設定ファイル",
  "latest": "最新",
  "left alone": "休止中",
  "managed": "管理対象",
  "median {time}": "中央値{time}",
  "new chat": "新しいチャット",
  "new line": "改行",
  "no limit": "無制限",
  "no other model": "なし",
  "no request had content yet": "内容のあるリクエストはまだありません",
  "no request yet": "リクエストなし",
  "none": "なし",
  "not known yet": "まだ不明",
  "not listed; use this name": "一覧にない名前を使う",
  "now": "現在",
  "offline": "オフライン",
  "older": "以前",
  "passes its checks": "検査に合格",
  "program failed": "プログラムは失敗",
  "program ready": "プログラムは準備完了",
  "program starting": "プログラムを起動中",
  "program stopped": "プログラムは停止中",
  "program stopping": "プログラムを停止処理中",
  "refused": "拒否",
  "requests": "リクエスト",
  "response": "応答",
  "rotated, both let in": "更新済み、両方有効",
  "send": "送信",
  "stop the answer, or editing": "回答または編集を止める",
  "system prompt": "システムプロンプト",
  "the conversation is longer than the model can read.": "会話がモデルの読める長さを超えています。",
  "this is more than fits into one file": "1つのファイルに収まりません",
  "tiny demo model, English only": "小さな試用モデル（英語のみ）",
  "to the message box": "メッセージ欄へ",
  "today": "今日",
  "tokens": "トークン",
  "tried again": "再試行中",
  "unknown": "不明",
  "unreachable": "到達不能",
  "until {time}": "{time}まで",
  "usable": "使用可",
  "usual": "通常",
  "{amount} of {all} tokens ({part} %)": "{all}トークン中{amount} ({part} %)",
  "{amount} tokens so far": "これまで{amount}トークン",
  "{count} conversations imported.": "{count}件の会話を読み込みました。",
  "{count} conversations were here already.": "{count}件の会話はすでにありました。",
  "{count} prompt tokens": "プロンプト{count}トークン",
  "{count} s ago": "{count}秒前",
  "{count} tokens": "{count}トークン",
  "{count} tokens a second": "毎秒{count}トークン",
  "{count} tokens of context": "コンテキスト{count}トークン",
  "{good} finished, {bad} failed, {warn} other": "完了{good}、失敗{bad}、その他{warn}",
  "{held}, {waiting} waiting": "{held}、待機{waiting}",
  "{hits} of {all}": "{all}中{hits}",
  "{left} left of {all}": "{all}のうち残り{left}",
  "{left} left of {whole}, until {end}": "{whole}のうち残り{left}（{end}まで）",
  "{now} now, {most} at most": "現在{now}、最大{most}",
  "{prompt} in, {completion} out": "入力{prompt}、出力{completion}",
  "{prompt} in, {completion} out per million": "100万あたり入力{prompt}、出力{completion}",
  "{requests} requests, {tokens} tokens": "{requests}リクエスト、{tokens}トークン",
  "{time} ago": "{time}前",
  "{upstream} ({count} attempts)": "{upstream}（試行{count}回）",
  "“{name}” cannot be attached: pictures (PNG, JPEG, WebP, GIF), PDF and text can.":
    "「{name}」は添付できません。画像（PNG、JPEG、WebP、GIF）、PDF、テキストを添付できます。",
  "“{name}” is empty.": "「{name}」は空です。",
  "“{name}” is not in this browser any more: attach it again to a new message.":
    "「{name}」はこのブラウザーにありません。新しいメッセージに添付し直してください。",
  "“{name}” is too large: such a file may have {count} MiB.": "「{name}」は大きすぎます。上限は{count} MiBです。",
  "“{title}” was deleted.": "「{title}」を削除しました。",
  "≥ marks a cost of which a part is unknown, ≈ one that is estimated.": "≥は一部が不明な費用、≈は推定の費用です。",
  "finished": "完了",
  "cancelled": "中断",
  "upstream failed": "上流の失敗",
  "timed out": "時間切れ",
  "shut down": "終了",
  "could not be reached": "接続できませんでした",
  "no secure connection": "安全な接続ができません",
  "refuses the gateway's key": "ゲートウェイのキーを拒否",
  "did not answer in time": "時間内に応答なし",
  "closed the connection without an answer": "応答せずに切断",
  "broke off in the middle of an answer": "応答の途中で切断",
  "sent a stream without content": "内容のないストリーム",
  "is starting": "起動中",
  "cannot run on this machine": "このマシンでは動きません",
  "reported an error": "エラーを報告",
  "answers with a redirection": "リダイレクトで応答",
  "allows no more requests for now": "今は追加のリクエスト不可",
  "{amount} a second": "毎秒{amount}",
  "{amount} a minute": "毎分{amount}",
  "{amount} an hour": "毎時{amount}",
  "{amount} a day": "毎日{amount}",
  "{amount} a week": "毎週{amount}",
  "{amount} a month": "毎月{amount}",
  "{count} requests": "{count}リクエスト",
  "{count} completion tokens": "出力{count}トークン",
  "{count} at once": "同時に{count}",
  "{count} in a burst": "一度に{count}",
  "key": "キー",
  "group": "グループ",
  " this hour": "（この1時間）",
  " today": "（今日）",
  " this week": "（今週）",
  " this month": "（今月）",
  "{sum} this month": "今月{sum}",
  "{sum} in the last hour": "直近1時間{sum}",
  "Requests in flight": "処理中のリクエスト",
  "Finished": "完了",
  "Failed": "失敗",
  "Refused": "拒否",
  "Cancelled": "中断",
  "Up": "稼働時間",
  "Version": "バージョン",
  "From the cache": "キャッシュから",
  "Request id": "リクエストID",
  "Trace id": "トレースID",
  "Operation": "操作",
  "Error": "エラー",
  "Detail": "詳細",
  "Upstream's status": "上流のステータス",
  "Finish reason": "終了の理由",
  "First content": "最初の内容",
  "Prompt tokens": "プロンプトのトークン",
  "Completion tokens": "出力のトークン",
  "Token source": "トークンの出所",
  "Cached tokens": "キャッシュのトークン",
  "Cache": "キャッシュ",
  "After the client left": "クライアント切断後",
  "Hedge": "並行試行",
  "Injected fault": "注入した障害",
  "Cut off: the limit of tokens was reached.": "トークンの上限で切れました。",
  "Cut off: a filter of the provider stopped the answer.": "提供元のフィルターが回答を止めました。",
  "The model refused to go on.": "モデルが続行を拒否しました。",
  "Stopped before the first word.": "最初の語の前に停止しました。",
  "Copied": "コピーしました",
  "Selected": "選択しました",
  "Edit": "編集",
  "Continue": "続ける",
  "Regenerate": "再生成",
  "Earlier version": "前の版",
  "Later version": "次の版",
  "Base URL": "ベースURL",
  "Environment": "環境変数",
  "An app, such as codex or zed": "アプリ（codexやzedなど）",
  "A replay is a new request, with this page's key.": "再実行は、このページのキーで送る新しいリクエストです。",
  "Answer": "回答",
  "As it streamed": "届いた順",
  "As it was sent": "送られたまま",
  "Body": "本文",
  "Copy as curl": "curlとしてコピー",
  "Headers": "ヘッダー",
  "It is not text: {all} bytes.": "テキストではありません（{all}バイト）。",
  "Model of the replay": "再実行のモデル",
  "Only the beginning of {all} bytes is stored.": "{all}バイトのうち先頭だけが保存されています。",
  "Parameters": "パラメーター",
  "Prompt": "プロンプト",
  "Replay": "再実行",
  "Replay with {model}": "{model}で再実行",
  "Sent upstream": "上流への送信",
  "Tools": "ツール",
  "in progress": "進行中",
  "Save as Markdown": "Markdownで保存",
  "Save {name} as Markdown": "{name}をMarkdownで保存",
  "The command": "コマンド",
  "on this device": "この端末",
  "local": "ローカル",
  "cloud": "クラウド",
  "picture": "画像",
  "text": "テキスト",
};
return { japanese };
})();
const module_words = (() => {
// The pages' language: the reader's first one that there is a table for, English otherwise.

const { japanese } = module_words_ja;

/** English is what the pages are written in. Another language is one more table, from the same English texts. */
const tables = new Map([["en", {}], ["ja", japanese]]);

/** Such as "en-GB". */
const locale = navigator.languages.find((name) => tables.has(languageOf(name))) ?? "en";
const table = tables.get(languageOf(locale));

function languageOf(name) {
  return name.split("-")[0];
}

/** A text of the pages in the reader's language; `{name}` in it becomes that one of `values`. */
function t(text, values = {}) {
  const found = Object.hasOwn(table, text) ? table[text] : text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Translates what the page's markup says. */
function translatePage() {
  document.documentElement.lang = languageOf(locale);
  document.title = t(document.title);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, " ");
    if (Object.hasOwn(table, text)) node.data = t(text);
  }
  for (const name of ["aria-label", "placeholder", "title", "label"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}
return { locale, t, translatePage };
})();
const module_failure = (() => {
// What went wrong, in words for the reader.

const { t } = module_words;

/** As servers say it that have no code for it. */
const tooLong = /prompt is too long|(maximum|exceeds?) .*context|context (size|window) .*exceed|too many tokens/i;

class Failure extends Error {
  /**
   * `status` is 0 when there was none; `retryAfter` is in seconds; `isPassing` says that the same may work a little
   * later.
   */
  constructor(message, { status = 0, code = null, retryAfter = null, isPassing = false } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.isPassing = isPassing;
  }

  /** A word for what the reader can do about it: "too_long", or empty. */
  get kind() {
    const isTooLong = this.code === "context_length_exceeded" || this.status === 413
      || ([0, 400].includes(this.status) && tooLong.test(this.message));
    return isTooLong ? "too_long" : "";
  }

  /** For a request that got no answer. */
  static ofNetwork() {
    return new Failure(t("The gateway cannot be reached. Is it running?"), { isPassing: true });
  }

  /** For an answer with an error status. */
  static async of(response) {
    let error = null;
    try {
      error = JSON.parse(await response.text()).error;
    } catch {
      // A proxy in between may answer with a page of its own.
    }
    const wait = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    return new Failure(textOf(error) ?? t("The gateway answered with status {status}.", { status: response.status }), {
      status: response.status,
      code: typeof error?.code === "string" ? error.code : null,
      retryAfter: Number.isFinite(wait) ? wait : null,
      isPassing: response.status === 429 || response.status >= 500,
    });
  }

  /** For the error object of a stream. */
  static inStream(error) {
    return new Failure(textOf(error) ?? t("The answer broke off."), {
      code: typeof error?.code === "string" ? error.code : null,
    });
  }
}

/** Some servers send several messages, some send the text alone. */
function textOf(error) {
  const message = typeof error === "string" ? error : error?.message;
  if (Array.isArray(message)) return message.filter((part) => typeof part === "string").join(" ") || null;
  return typeof message === "string" && message !== "" ? message : null;
}
return { Failure };
})();
const module_key = (() => {
// The gateway's key, as the pages share it: for this tab, until it is closed, or on this device where the reader wants
// that. An address may bring it as `#key=…`, a part that no browser sends to anybody.

const name = "headgate.key";

/** The key that is kept, or has come with the address; empty when there is none. */
function keptKey() {
  const brought = /^#key=([\x21-\x7e]+)$/.exec(location.hash)?.[1];
  if (brought === undefined) return read(() => sessionStorage) || read(() => localStorage);
  // Neither the history nor a copied address shall hold it.
  history.replaceState(null, "", location.pathname + location.search);
  const key = decoded(brought);
  if (!isKey(key)) return "";
  keepKey(key, isRemembered());
  return key;
}

/** Whether a text may be a key: what else there is in it could not be sent. */
const isKey = (text) => /^[\x21-\x7e]+$/.test(text);

/**
 * The single-use code that the address has brought as `#pair=…`; null without one. Like a key it leaves the address.
 */
function broughtCode() {
  const code = /^#pair=([\w-]{22})$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps it for this tab, and on this device if it is to be remembered. */
function keepKey(key, isToBeRemembered) {
  forgetKey();
  write(() => sessionStorage, key);
  if (isToBeRemembered) write(() => localStorage, key);
}

function forgetKey() {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().removeItem(name);
    } catch {
      // Then it was never kept.
    }
  }
}

const isRemembered = () => read(() => localStorage) !== "";

// A browser may refuse storage altogether: even asking for it may fail.

function read(storage) {
  try {
    return storage().getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage, key) {
  try {
    storage().setItem(name, key);
  } catch {
    // It holds for this page, then.
  }
}
return { keptKey, isKey, broughtCode, keepKey, forgetKey, isRemembered };
})();
const module_access = (() => {
// Requests to the gateway, with its key where it asks for one.

const { find } = module_dom;
const { Failure } = module_failure;
const { broughtCode, forgetKey, isKey, isRemembered, keepKey, keptKey } = module_key;
const { t } = module_words;

let key = keptKey();
/** Why a code that came with the address made no key; empty if none did. */
let problem = "";
/** Ends once a code that came with the address is exchanged for a key. */
const pairing = pair(broughtCode());

/** Exchanges a code for this device's own key, and keeps it here: the code works once. */
async function pair(code) {
  if (code === null) return;
  try {
    const response = await fetch(`/v1/pairings/${code}`, { method: "POST", cache: "no-store", credentials: "omit" });
    if (!response.ok) throw await Failure.of(response);
    key = (await response.json()).key;
    keepKey(key, true);
    showKey();
  } catch (failure) {
    problem = (failure instanceof Failure ? failure : Failure.ofNetwork()).message;
    demandKey(problem);
  }
}

/** A response with a good status; throws a Failure. */
async function ask(path, options = {}) {
  await pairing;
  const headers = { ...options.headers };
  if (key !== "") headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    throw error.name === "AbortError" ? error : Failure.ofNetwork();
  }
  if (response.ok) return response;
  const failure = await Failure.of(response);
  if (failure.status === 401) refuse(headers.Authorization);
  throw failure;
}

/** Another key may have been entered since the one that is refused was sent. */
function refuse(authorization) {
  if (authorization !== undefined && authorization !== `Bearer ${key}`) return;
  demandKey(key === "" ? problem : t("The gateway does not know this key."));
  key = "";
  forgetKey();
  showKey();
}

/** Calls back when a key was entered, or taken back. */
function onKey(entered) {
  showKey();
  find("key-forget").addEventListener("click", () => {
    key = "";
    forgetKey();
    showKey();
    entered();
  });
  find("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = find("key").value.trim();
    if (!isKey(typed)) return demandKey(t("A key has only letters, digits and signs, without spaces."));
    key = typed;
    keepKey(key, find("key-remember").checked);
    find("key").value = "";
    find("key-form").hidden = true;
    showKey();
    entered();
  });
}

/** What is kept can be taken back. */
function showKey() {
  find("key-forget").hidden = key === "";
  find("key-remember").checked = isRemembered();
}

/** Shows where to enter a key. */
function demandKey(notice) {
  const wasHidden = find("key-form").hidden;
  find("key-form").hidden = false;
  find("key-notice").textContent = notice;
  if (wasHidden) find("key").focus();
}
return { ask, onKey, demandKey };
})();
const module_text_file = (() => {
// A text file within a message.

/** Between fences that are longer than any of its own. */
function fenced(name, text) {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `File “${name.replace(/[\r\n]+/g, " ")}”:\n${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
return { fenced };
})();
const module_tool_calls = (() => {
// Tool calls, put together from the pieces in which they come.

const mostCalls = 128;

/**
 * By the protocol a piece carries the index of its call, and the first one its id and name. Some servers leave out the
 * index, the id or both, some give every call the index 0, and some repeat id and name in every piece.
 */
class ToolCallAssembly {
  #message;
  /** Like `message.toolCalls`, with index and id. */
  #slots = [];

  constructor(message) {
    this.#message = message;
  }

  add(piece) {
    const index = Number.isInteger(piece?.index) ? piece.index : null;
    const id = string(piece?.id);
    const name = string(piece?.function?.name);
    const text = string(piece?.function?.arguments);
    let slot = this.#open(index, id, name);
    if (slot === undefined || !continues(slot, id, name, text)) {
      if (this.#slots.length === mostCalls) return;
      slot = { index, id: "", call: { name: "", arguments: "" } };
      this.#slots.push(slot);
      (this.#message.toolCalls ??= []).push(slot.call);
    }
    slot.id ||= id;
    slot.call.name ||= name;
    slot.call.arguments += text;
  }

  /** The call that a piece may be a part of. */
  #open(index, id, name) {
    if (index === null) return this.#slots.findLast((slot) => id !== "" && slot.id === id) ?? this.#slots.at(-1);
    // Without a name it cannot begin a call.
    return this.#slots.findLast((slot) => slot.index === index) ?? (name === "" ? this.#slots.at(-1) : undefined);
  }
}

/** Whether a piece is more of this call, and not the first of another. */
function continues({ id: knownID, call }, id, name, text) {
  if (name === "") return true;
  if (id !== "" && knownID !== "") return id === knownID;
  if (call.name === "") return true;
  // The name again, or the same tool once more: only what has come of the arguments can tell.
  return name === call.name && (text === "" || !isJSON(call.arguments));
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const string = (value) => (typeof value === "string" ? value : "");
return { ToolCallAssembly };
})();
const module_completions_form = (() => {
// OpenAI's chat completions: what is asked, and what the events of an answer mean.

const { Failure } = module_failure;
const { fenced } = module_text_file;
const { ToolCallAssembly } = module_tool_calls;

const path = "/v1/chat/completions";

const name = "completions";

/** Whether `[DONE]` ends an answer. */
const endsWithMark = true;

const request = ({ model, messages, settings }) => ({
  model,
  messages: messages.map(({ role, content, attachments }) => ({ role, content: contentWith(content, attachments) })),
  ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
  ...(settings.maxTokens === undefined ? {} : { [limitOf(settings)]: settings.maxTokens }),
  stream: true,
  stream_options: { include_usage: true },
});

/** Newer models of OpenAI's refuse the name of the limit that all other servers know. */
const limitOf = ({ namesCompletionTokens }) => (namesCompletionTokens ? "max_completion_tokens" : "max_tokens");

/** Other settings for which a refused request may be tried again; null when there are none. */
function otherSettings(settings, failure) {
  const isOther = failure.status === 400 && failure.message.includes("max_completion_tokens");
  return isOther && settings.maxTokens !== undefined && !settings.namesCompletionTokens
    ? { ...settings, namesCompletionTokens: true } : null;
}

/** A text alone where that is all: not every server takes a list. */
function contentWith(content, attachments) {
  if (attachments.length === 0) return content;
  const files = attachments.map(({ name, type, data, text }) => {
    if (text !== undefined) return { type: "text", text: fenced(name, text) };
    const address = `data:${type};base64,${data}`;
    return type === "application/pdf" ? { type: "file", file: { filename: name, file_data: address } }
      : { type: "image_url", image_url: { url: address } };
  });
  if (files.every(({ type }) => type === "text")) {
    return [...files.map(({ text }) => text), content].join("\n\n").trim();
  }
  return content.trim() === "" ? files : [...files, { type: "text", text: content }];
}

/** Fills a message with what the events bring. */
class Reader {
  #message;
  #calls;

  constructor(message) {
    this.#message = message;
    this.#calls = new ToolCallAssembly(message);
  }

  /** Takes the next chunk: `{isContent}`. Throws a Failure. */
  take(chunk) {
    const message = this.#message;
    if (chunk?.error) throw Failure.inStream(chunk.error);
    if (chunk?.usage) {
      message.usage = { prompt: count(chunk.usage.prompt_tokens), completion: count(chunk.usage.completion_tokens) };
    }
    const choices = Array.isArray(chunk?.choices) ? chunk.choices : [];
    const choice = choices.find((one) => (one?.index ?? 0) === 0);
    // Some servers write an empty reason where there is none.
    if (string(choice?.finish_reason) !== "") message.finish = choice.finish_reason;
    const delta = choice?.delta;
    if (!delta) return {};
    const text = textOf(delta.content);
    // Two names for the same thing; some servers send both.
    const reasoning = string(delta.reasoning_content) || string(delta.reasoning);
    const refusal = string(delta.refusal);
    const fragments = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    message.content += text;
    if (reasoning !== "") message.reasoning = (message.reasoning ?? "") + reasoning;
    if (refusal !== "") message.refusal = (message.refusal ?? "") + refusal;
    for (const fragment of fragments) this.#calls.add(fragment);
    return { isContent: text !== "" || reasoning !== "" || refusal !== "" || fragments.length > 0 };
  }
}

/** Content is a text, or a list of parts of which some are. */
const textOf = (content) =>
  (Array.isArray(content) ? content.map((part) => string(part?.text)).join("") : string(content));
const string = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
return { path, name, endsWithMark, request, otherSettings, Reader };
})();
const module_events = (() => {
// Server-Sent Events out of a response's bytes, by the rules of the HTML standard.

/** The events of a body, each `{type, data, id}`. Ends with the body; an event without its blank line is dropped. */
async function* events(body) {
  const reader = body.getReader();
  // Keeps what is left of a character that is split over two pieces.
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield* parser.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

class EventParser {
  #rest = "";
  #type = "";
  #data = [];
  #id = "";

  /** The events that are complete with this text. */
  push(text) {
    // A carriage return at the very end may be the first half of a line break.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#take(line)).filter((event) => event !== null);
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id") this.#id = value;
    return null;
  }

  #dispatch() {
    const event = this.#data.length > 0 ? { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id }
      : null;
    this.#type = "";
    this.#data = [];
    return event;
  }
}
return { events, EventParser };
})();
const module_messages_form = (() => {
// Anthropic's Messages: what is asked, and what the events of an answer mean.

const { Failure } = module_failure;
const { fenced } = module_text_file;

/** The form demands a limit; current models of Anthropic allow at least so many tokens. */
const longestAnswer = 8192;

const path = "/v1/messages";

const name = "messages";

/** Whether `[DONE]` ends an answer. */
const endsWithMark = false;

/** The request of a conversation; rules that stand first in it have a place of their own. */
function request({ model, messages, settings }) {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content).join("\n\n");
  const said = messages.filter(({ role }) => role !== "system");
  return {
    model,
    max_tokens: Math.max(1, settings.maxTokens ?? longestAnswer),
    messages: said.map(({ role, content, attachments }) => ({ role, content: contentWith(content, attachments) })),
    ...(settings.temperature === undefined ? {} : { temperature: Math.min(settings.temperature, 1) }),
    ...(settings.topP === undefined ? {} : { top_p: settings.topP }),
    stream: true,
    ...(system === "" ? {} : { system }),
  };
}

const otherSettings = () => null;

/** A text alone where that is all. */
function contentWith(content, attachments) {
  if (attachments.length === 0) return content;
  const blocks = attachments.map(({ name, type, data, text }) => {
    if (text !== undefined) return { type: "text", text: fenced(name, text) };
    const source = { type: "base64", media_type: type, data };
    return type === "application/pdf" ? { type: "document", source, title: name } : { type: "image", source };
  });
  return content.trim() === "" ? blocks : [...blocks, { type: "text", text: content }];
}

/** Fills a message with what the events bring. */
class Reader {
  #message;
  #calls = new Map();

  constructor(message) {
    this.#message = message;
  }

  /** Takes the next event: `{isEnd, isContent}`. Throws a Failure. */
  take(event) {
    switch (event?.type) {
      case "error": throw Failure.inStream(event.error);
      case "message_stop": return { isEnd: true };
      case "message_start":
        this.#count(event.message?.usage);
        return {};
      case "message_delta":
        this.#count(event.usage);
        if (typeof event.delta?.stop_reason === "string") {
          this.#message.finish = reasons.get(event.delta.stop_reason) ?? event.delta.stop_reason;
        }
        return {};
      case "content_block_start": return { isContent: this.#add(event.index, event.content_block) };
      case "content_block_delta": return { isContent: this.#add(event.index, event.delta) };
      default: return {};
    }
  }

  /** Whether the piece of a block brought anything. */
  #add(index, piece) {
    const message = this.#message;
    const [text, thinking] = [string(piece?.text), string(piece?.thinking)];
    if (piece?.type === "tool_use") {
      const call = { name: string(piece.name), arguments: "" };
      this.#calls.set(index, call);
      (message.toolCalls ??= []).push(call);
    } else if (piece?.type === "input_json_delta" && this.#calls.has(index)) {
      this.#calls.get(index).arguments += string(piece.partial_json);
    } else {
      message.content += text;
      if (thinking !== "") message.reasoning = (message.reasoning ?? "") + thinking;
      return text !== "" || thinking !== "";
    }
    return true;
  }

  /** What was read from a cache counts too. The last count stands. */
  #count(usage) {
    const counts = this.#message.usage ??= { prompt: null, completion: null };
    const prompt = [usage?.input_tokens, usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens];
    if (count(prompt[0]) !== null) counts.prompt = prompt.reduce((sum, part) => sum + (count(part) ?? 0), 0);
    counts.completion = count(usage?.output_tokens) ?? counts.completion;
  }
}

/** The same ends in the words of chat completions; other words stay. */
const reasons = new Map([
  ["end_turn", "stop"], ["stop_sequence", "stop"], ["max_tokens", "length"], ["tool_use", "tool_calls"],
  ["model_context_window_exceeded", "length"],
]);

const string = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : null);
return { path, name, endsWithMark, request, otherSettings, Reader };
})();
const module_routes = (() => {
// By which of the gateway's routes a model is asked.

const { ask } = module_access;

/** By name: whether the model speaks Anthropic's Messages and not OpenAI's form. */
const known = new Map();

/** Takes note of the models that the gateway lists. */
function noteModels(models) {
  for (const { id, speaks } of models) known.set(id, speaksMessages(speaks));
}

/** Whether a model is asked by `/v1/messages`. Where the gateway does not say, it is asked as usual, and fails there. */
async function isAskedByMessages(model, signal) {
  // Without a key there is no list, and nothing is chosen.
  if (model === "") return false;
  if (!known.has(model)) {
    try {
      noteModels([await (await ask(`/v1/models/${encodeURIComponent(model)}`, { signal })).json()]);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      return false;
    }
  }
  return known.get(model) ?? false;
}

/** Whether a model is known to take PDF: all models of Anthropic do, and of others no server says it. */
const takesPdf = (model) => known.get(model) === true;

/** The configuration may have changed since. */
const forgetRoute = (model) => known.delete(model);

const speaksMessages = (routes) => Array.isArray(routes) && routes.includes("messages") && !routes.includes("chat");
return { noteModels, isAskedByMessages, takesPdf, forgetRoute };
})();
const module_completion = (() => {
// One answer, followed as it comes, in the form that its model speaks.

const { ask } = module_access;
const completions = module_completions_form;
const { events } = module_events;
const { Failure } = module_failure;
const messagesForm = module_messages_form;
const { forgetRoute, isAskedByMessages } = module_routes;
const { t } = module_words;

/**
 * Asks for an answer and fills `message` with what comes, calling `changed` after each event.
 * Throws a Failure, also when the stream ends before it says so; or an AbortError.
 */
async function complete(request, message, { signal, changed }) {
  const { model, settings } = request;
  const startedAt = performance.now();
  const form = await isAskedByMessages(model, signal) ? messagesForm : completions;
  const response = await post(form.path, form.request(request), signal).catch((error) => {
    if (error.code === "dialect_not_spoken") forgetRoute(model);
    const others = form.otherSettings(settings, error);
    if (others !== null) return post(form.path, form.request({ ...request, settings: others }), signal);
    throw error;
  });
  await follow(response, response.headers.get("x-request-id"), form, message, { startedAt, changed });
}

/**
 * Goes on with the answer that `message` has a part of, where the gateway keeps it. Throws as complete does; a Failure
 * with the status 404 or 410 where it is gone.
 */
async function goOn(message, { signal, changed }) {
  const { stream, form } = message.place;
  // Pieces of a call are put together by what came before them.
  const isAnew = message.toolCalls !== undefined;
  const headers = isAnew ? {} : { "Last-Event-ID": message.place.event };
  const response = await ask(pathOf(stream), { headers, signal });
  if (response.status === 204) {
    // The gateway has given all that it has: without a reason to finish, the end is not among it.
    if (message.finish) return;
    throw new Failure(t("The answer broke off before its end."));
  }
  if (isAnew) {
    for (const member of ["reasoning", "refusal", "finish", "toolCalls", "usage"]) delete message[member];
    message.content = "";
  }
  const startedAt = performance.now() - (message.timing?.total ?? 0);
  await follow(response, stream, forms.find(({ name }) => name === form) ?? completions, message, { startedAt, changed });
}

/** Ends an answer that goes on without this page. */
function stopStream({ stream }) {
  ask(pathOf(stream), { method: "DELETE", keepalive: true }).catch(() => {});
}

const forms = [completions, messagesForm];
const pathOf = (stream) => `/v1/streams/${encodeURIComponent(stream)}`;

/** `stream` is the name under which the gateway keeps it, if its events have ids. */
async function follow(response, stream, form, message, { startedAt, changed }) {
  const first = message.timing?.first ?? null;
  let firstAt = first === null ? null : startedAt + first;
  const reader = new form.Reader(message);
  try {
    for await (const event of events(response.body)) {
      if (event.data === "[DONE]") {
        if (form.endsWithMark) return;
        continue;
      }
      const { isEnd, isContent } = reader.take(parsed(event.data));
      if (isContent) firstAt ??= performance.now();
      if (event.id !== "" && stream !== null) message.place = { stream, event: event.id, form: form.name };
      message.timing = timing(startedAt, firstAt);
      changed();
      if (isEnd) return;
    }
  } catch (error) {
    if (error instanceof Failure || error.name === "AbortError") throw error;
    throw new Failure(t("The connection broke before the answer's end."), { isPassing: true });
  }
  throw new Failure(t("The answer broke off before its end."), { isPassing: true });
}

const post = (path, body, signal) => ask(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

/** Milliseconds; `first` is null before there was any content. */
function timing(startedAt, firstAt) {
  return { first: firstAt === null ? null : firstAt - startedAt, total: performance.now() - startedAt };
}

function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    throw new Failure(t("The answer holds an event that is not JSON."));
  }
}
return { complete, goOn, stopStream };
})();
const module_conversation = (() => {
// What a conversation is, in memory, in storage and in files.
//
//   {id, title, updated, changed, model, instructions, settings, start, tip, turned, messages}
//   settings: {temperature?, topP?, maxTokens?, window?}
//   message: {id, parent, revision, role: "user" | "assistant", content, attachments?: [{id, name, type, size}],
//             model?, beside?: the turn it was asked for in, reasoning?, refusal?, finish?,
//             toolCalls?: [{name, arguments}],
//             usage?: {prompt, completion}, timing?: {first, total}, stopped?: true,
//             growing?: when it was last kept in the middle, place?: {stream, event, form},
//             error?: {message, retryAfter, code}, removed?: true}
//
// `place` is how far an answer has come that the gateway keeps, so that a page that is opened again goes on with it.
//
// The messages are a tree: each has a `parent`, the first ones none. What is asked or answered anew stands beside what
// was there before, as another branch; the line through `tip` is shown, chosen at `turned`. Answers with `beside` were
// asked for at once, and are shown side by side. What stands before `start` is not sent any more.
//
// Several tabs may talk in one conversation at once. A message has an id by which it is sorted, one tab that fills it,
// and a revision that grows each time it is kept; one that is taken away stays as a mark. So two versions of a
// conversation always have one sum, and whoever keeps one keeps that. `changed` is when title, model, instructions,
// settings or start were chosen.

const longestTitle = 80;

function newConversation({ model = "", instructions = "", settings = {} } = {}) {
  const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const now = Date.now();
  return { id, title: "", updated: now, changed: now, model, instructions, settings, start: "", tip: "", turned: 0,
    messages: [] };
}

/** The first part of the ids of a question and its answers: behind all others, and of this tab alone. */
function newTurn({ messages }) {
  // A clock may be set back.
  const time = Math.max(Date.now(), 1 + (Number.parseInt(messages.at(-1)?.id ?? "0", 10) || 0));
  return `${sortable(time)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
}

/**
 * Brings what a kept version knows into `conversation`; messages that are here already stay the same objects. Returns
 * whether the kept version lacks something of the sum.
 */
function merge(conversation, kept) {
  const known = new Map(conversation.messages.map((message) => [message.id, message]));
  for (const theirs of kept.messages) {
    const ours = known.get(theirs.id);
    if (ours === undefined) conversation.messages.push(theirs);
    else if (theirs.revision > ours.revision) become(ours, theirs);
  }
  conversation.messages.sort((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));
  conversation.updated = Math.max(conversation.updated, kept.updated);
  if (kept.changed > conversation.changed) {
    const { changed, title, model, instructions, settings, start } = kept;
    Object.assign(conversation, { changed, model, instructions, settings, start, title: title || conversation.title });
  }
  conversation.title ||= kept.title;
  if (kept.turned > conversation.turned) Object.assign(conversation, { turned: kept.turned, tip: kept.tip });
  const revisions = new Map(kept.messages.map(({ id, revision }) => [id, revision]));
  return conversation.changed > kept.changed || conversation.turned > kept.turned
    || conversation.messages.some(({ id, revision }) => !(revisions.get(id) >= revision));
}

function become(message, other) {
  for (const name of Object.keys(message)) delete message[name];
  Object.assign(message, other);
}

/** Leaves a mark in a message's place, which no other tab's version fills again. */
function remove(message) {
  const { id, parent, role, revision } = message;
  become(message, { id, parent, role, revision: revision + 1, content: "", removed: true });
}

const sortable = (number) => String(number).padStart(15, "0");

/** The first words of a conversation. */
function titleOf(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
return { newConversation, newTurn, merge, remove, sortable, titleOf };
})();
const module_checked = (() => {
// Conversations out of the storage and out of files: values that may be anything.

const { newConversation, sortable, titleOf } = module_conversation;

const ranges = { temperature: 2, topP: 1, maxTokens: 10_000_000, window: 100_000_000 };

/** A copy with nothing in it but what a conversation has; throws an Error that names the first thing that is wrong. */
function checkedConversation(value) {
  const checked = new Check(value, "the conversation");
  const updated = checked.number("updated") ?? Date.now();
  const messages = checked.list("messages").map((message, index) => checkedMessage(message, index));
  const names = inOrder(messages);
  return {
    id: checked.text("id", ""),
    title: titleOf(checked.text("title", "")),
    updated,
    changed: checked.number("changed") ?? updated,
    model: checked.text("model", ""),
    instructions: checked.text("instructions", ""),
    settings: checkedSettings(checked.member("settings") ?? {}),
    start: names.get(checked.text("start", "")) ?? "",
    tip: names.get(checked.text("tip", "")) ?? "",
    turned: checked.number("turned") ?? 0,
    messages,
  };
}

/**
 * A conversation out of a file, as a new one; throws as checkedConversation does. What only has a meaning in the browser
 * it comes from is left behind: ids, revisions, marks of what was taken away, answers under way, times to come.
 */
function importedConversation(value) {
  const read = checkedConversation(value);
  const { title, updated, changed, model, instructions, settings } = read;
  const now = Date.now();
  const names = new Map();
  const messages = read.messages.map(({ growing, place, ...message }, index) => {
    const id = sortable(index);
    names.set(message.id, id);
    return { ...message, id, parent: names.get(message.parent) ?? "", revision: 0 };
  });
  return {
    ...newConversation({ model, instructions, settings }),
    title,
    updated: Math.min(updated, now),
    changed: Math.min(changed, now),
    start: names.get(read.start) ?? "",
    tip: names.get(read.tip) ?? "",
    messages,
  };
}

/**
 * Gives ids to messages whose own are none to sort by, and to each a parent that stands before it: older versions knew
 * neither. Returns the ids by those that were there.
 */
function inOrder(messages) {
  const isInOrder = messages.every(({ id }, index) => id !== "" && (index === 0 || messages[index - 1].id < id));
  const names = new Map();
  let last = "";
  for (const [index, message] of messages.entries()) {
    const id = isInOrder ? message.id : sortable(index);
    message.parent = message.parent === "" ? "" : names.get(message.parent) ?? last;
    if (message.id !== "") names.set(message.id, id);
    message.id = id;
    if (!message.removed) last = id;
  }
  return names;
}

function checkedSettings(value) {
  const checked = new Check(value, "the settings");
  const settings = {};
  for (const [name, most] of Object.entries(ranges)) {
    const number = checked.number(name);
    if (number !== null) settings[name] = Math.min(number, most);
  }
  return settings;
}

function checkedMessage(value, index) {
  const place = `message ${index + 1}`;
  const checked = new Check(value, place);
  const role = checked.text("role");
  if (role !== "user" && role !== "assistant") throw new Error(`the role of ${place} is neither user nor assistant`);
  // Undefined: the one before.
  const parent = checked.member("parent") === undefined ? undefined : checked.text("parent");
  const message = { id: checked.text("id", ""), parent, revision: checked.number("revision") ?? 0, role,
    content: checked.text("content") };
  for (const name of ["model", "reasoning", "refusal", "finish", "beside"]) {
    if (value[name] !== undefined) message[name] = checked.text(name);
  }
  for (const name of ["stopped", "removed"]) if (value[name] === true) message[name] = true;
  if (value.growing !== undefined) message.growing = checked.number("growing");
  if (value.attachments !== undefined) {
    message.attachments = checked.list("attachments").map((one) => {
      const inner = new Check(one, `an attachment of ${place}`);
      const { data } = one;
      return { id: inner.text("id", ""), name: inner.text("name").slice(0, 255), type: inner.text("type"),
        size: inner.number("size") ?? 0, ...(typeof data === "string" ? { data } : {}) };
    });
  }
  if (value.toolCalls !== undefined) {
    message.toolCalls = checked.list("toolCalls").map((call) => {
      const inner = new Check(call, `a tool call of ${place}`);
      return { name: inner.text("name"), arguments: inner.text("arguments") };
    });
  }
  for (const [name, members] of [["usage", ["prompt", "completion"]], ["timing", ["first", "total"]]]) {
    if (value[name] === undefined) continue;
    const inner = new Check(value[name], `${name} of ${place}`);
    message[name] = Object.fromEntries(members.map((member) => [member, inner.number(member)]));
  }
  if (value.place !== undefined) {
    const inner = new Check(value.place, `the place of ${place}`);
    message.place = { stream: inner.text("stream"), event: inner.text("event"), form: inner.text("form") };
  }
  if (value.error !== undefined) {
    const inner = new Check(value.error, `the error of ${place}`);
    message.error = { message: inner.text("message"), retryAfter: inner.number("retryAfter"),
      code: inner.text("code", "") };
  }
  return message;
}

/** Reads members of a value that may be anything. */
class Check {
  #value;
  #place;

  constructor(value, place) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${place} is not an object`);
    this.#value = value;
    this.#place = place;
  }

  text(name, absent) {
    const value = this.member(name) ?? absent;
    if (typeof value !== "string") throw new Error(`${name} of ${this.#place} is not a text`);
    return value;
  }

  /** Null when there is none. */
  number(name) {
    const value = this.member(name) ?? null;
    if (value !== null && !(Number.isFinite(value) && value >= 0)) {
      throw new Error(`${name} of ${this.#place} is not a number`);
    }
    return value;
  }

  list(name) {
    const value = this.member(name);
    if (!Array.isArray(value) || value.length > 10_000) throw new Error(`${name} of ${this.#place} is not a list`);
    return value;
  }

  member(name) {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}
return { checkedConversation, importedConversation, checkedSettings };
})();
const module_library = (() => {
// Conversations in the browser's storage, each under a key of its own. Whoever keeps one keeps what other tabs have
// added.

const { checkedConversation } = module_checked;
const { merge } = module_conversation;

const prefix = "headgate.conversation.";

/** Those that the browser would not keep, by id: they live as long as this page. */
const unkept = new Map();

/** All of them, the latest first. What another program put there and does not fit is left alone. */
function conversations() {
  const found = [...unkept.values()];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key.startsWith(prefix)) continue;
      const id = key.slice(prefix.length);
      const conversation = unkept.has(id) ? null : kept(id);
      if (conversation !== null) found.push(conversation);
    }
  } catch {
    // A browser may refuse storage altogether.
  }
  return found.sort((one, other) => other.updated - one.updated);
}

/** A conversation as it was last kept, by whatever tab, or would have been; null when there is none. */
function latest(id) {
  return unkept.get(id) ?? kept(id);
}

/** A conversation as the storage has it; null when there is none. */
function kept(id) {
  try {
    return { ...checkedConversation(JSON.parse(localStorage.getItem(prefix + id))), id };
  } catch {
    return null;
  }
}

/**
 * Calls back with a conversation as another tab has kept it, with the id of one that is forgotten, and when there is no
 * saying what has changed.
 */
function onOtherTab({ keeps, forgets, changed }) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === null) return changed();
    if (!key.startsWith(prefix)) return;
    const id = key.slice(prefix.length);
    if (newValue === null) return forgets(id);
    const conversation = kept(id);
    if (conversation !== null) keeps(conversation);
  });
  // A page that the browser put aside has heard nothing meanwhile.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) changed();
  });
}

/** Keeps it, with what other tabs have added, which is then in it too. Returns whether that was possible. */
function keep(conversation) {
  const { id } = conversation;
  const there = kept(id);
  if (there !== null) merge(conversation, there);
  try {
    localStorage.setItem(prefix + id, JSON.stringify(conversation));
    unkept.delete(id);
    return true;
  } catch {
    unkept.set(id, conversation);
    return false;
  }
}

function forget(id) {
  unkept.delete(id);
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // Then it was never kept.
  }
}
return { conversations, latest, onOtherTab, keep, forget };
})();
const module_attachment_store = (() => {
// The bytes of attachments, in the browser's database: its other storage is too small for pictures.

const longestUnused = 24 * 3600 * 1000;
/** Those that the browser would not keep, by id: they live as long as this page. */
const unkept = new Map();

const database = new Promise((resolve, reject) => {
  const request = indexedDB.open("headgate.attachments", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files", { keyPath: "id" });
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// A browser may refuse it, as it does in some private windows: said where it is used.
database.catch(() => {});

async function act(mode, does) {
  const transaction = (await database).transaction("files", mode);
  return new Promise((resolve, reject) => {
    const request = does(transaction.objectStore("files"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Keeps bytes, and returns their id. */
async function put(bytes) {
  const file = { id: [...crypto.getRandomValues(new Uint32Array(4))].join("-"), bytes, at: Date.now() };
  try {
    await act("readwrite", (files) => files.put(file));
  } catch {
    unkept.set(file.id, bytes);
  }
  return file.id;
}

/** Bytes, or null when they are gone. */
async function get(id) {
  if (unkept.has(id)) return unkept.get(id);
  try {
    return (await act("readonly", (files) => files.get(id)))?.bytes ?? null;
  } catch {
    return null;
  }
}

/** Forgets what is in no conversation any more; what was just put there may be on its way into one. */
async function sweep(used) {
  try {
    const old = (await act("readonly", (files) => files.getAllKeys())).filter((id) => !used.has(id));
    for (const id of old) {
      const file = await act("readonly", (files) => files.get(id));
      if (file && Date.now() - file.at > longestUnused) await act("readwrite", (files) => files.delete(id));
    }
  } catch {
    // Then there is nothing to forget.
  }
}
return { put, get, sweep };
})();
const module_attachments = (() => {
// Files that go with a message: which are taken, how they are kept, and what the model gets of them.

const { get, put } = module_attachment_store;
const { Failure } = module_failure;
const { t } = module_words;

const mebibyte = 1024 * 1024;
/** Of one message. */
const mostFiles = 10;
const mostBytes = { image: 10 * mebibyte, pdf: 20 * mebibyte, text: mebibyte };
const mostBytesTogether = 22 * mebibyte;

/** By the first bytes: a name and the type that a browser makes of it prove nothing. */
const signatures = [
  ["image/png", /^\x89PNG\r\n\x1a\n/], ["image/jpeg", /^\xff\xd8\xff/], ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/], ["application/pdf", /^%PDF-/],
];

const kindOf = (type) => (type.startsWith("image/") ? "image" : type === "application/pdf" ? "pdf" : "text");

/** A file as `{name, type, size, bytes}`; throws an Error for the reader. */
async function taken(file) {
  // Before anything is read.
  if (file.size > mostBytes.pdf) throw new Error(tooLarge(file.name, mostBytes.pdf));
  return checked(file.name, await file.arrayBuffer());
}

function checked(name, bytes) {
  const type = typeOf(bytes);
  if (type === null) {
    throw new Error(t("“{name}” cannot be attached: pictures (PNG, JPEG, WebP, GIF), PDF and text can.", { name }));
  }
  const most = mostBytes[kindOf(type)];
  if (bytes.byteLength > most) throw new Error(tooLarge(name, most));
  if (bytes.byteLength === 0) throw new Error(t("“{name}” is empty.", { name }));
  return { name: name.slice(0, 255) || "file", type, size: bytes.byteLength, bytes };
}

const tooLarge = (name, most) => 
  t("“{name}” is too large: such a file may have {count} MiB.", { name, count: most / mebibyte });

/** What is wrong with these files together; null when nothing is. */
function problemOf(files) {
  if (files.length > mostFiles) return t("At most {count} files go with a message.", { count: mostFiles });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size <= mostBytesTogether) return null;
  const count = mostBytesTogether / mebibyte;
  return t("Together they are too large: at most {count} MiB go with a message.", { count });
}

function typeOf(bytes) {
  const head = String.fromCharCode(...new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 16)));
  const known = signatures.find(([, signature]) => signature.test(head));
  if (known) return known[0];
  return textOf(bytes) === null ? null : "text/plain";
}

/** Null for what is no text. */
function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Keeps files; returns what a message has of them. */
const kept = (files) => Promise.all(files.map(async ({ name, type, size, bytes }) =>
  ({ id: await put(bytes), name, type, size })));

/** What a request has of an attachment: `{name, type, data}` in base64, or `{name, type, text}`. */
async function contentOf({ id, name, type }) {
  const bytes = await get(id);
  if (bytes === null) {
    throw new Failure(t("“{name}” is not in this browser any more: attach it again to a new message.", { name }));
  }
  return kindOf(type) === "text" ? { name, type, text: textOf(bytes) ?? "" } : { name, type, data: base64(bytes) };
}

/** Into a file: with all that there is of it. */
async function exportedAttachment({ id, ...attachment }) {
  const bytes = await get(id);
  return bytes === null ? attachment : { ...attachment, data: base64(bytes) };
}

/** Out of a file: what claims to be a picture is looked at like any other. Throws an Error for the reader. */
async function importedAttachment({ name, type, size, data }) {
  // What was not exported is known by its name alone.
  if (data === undefined) return { id: "", name, type, size };
  let bytes;
  try {
    bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0)).buffer;
  } catch {
    throw new Error(`the attachment “${name}” is not in base64`);
  }
  const [file] = await kept([checked(name, bytes)]);
  return file;
}

function base64(bytes) {
  const octets = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < octets.length; at += 0x8000) text += String.fromCharCode(...octets.subarray(at, at + 0x8000));
  return btoa(text);
}

const pictures = new Map();

/** An address of this page alone for a picture; null when its bytes are gone. */
async function pictureAddress({ id, type }) {
  if (!pictures.has(id)) {
    const bytes = await get(id);
    if (bytes === null) return null;
    pictures.set(id, URL.createObjectURL(new Blob([bytes], { type })));
  }
  return pictures.get(id);
}
return { mostFiles, kindOf, taken, problemOf, kept, contentOf, exportedAttachment, importedAttachment, pictureAddress };
})();
const module_branches = (() => {
// The branches of a conversation: which messages stand beside each other, and the line of them that is shown.

/** The id that a message really follows: marks of what was taken away, and what is not known, are passed over. */
function parentOf(message, known) {
  let parent = known.get(message.parent);
  while (parent?.removed) parent = known.get(parent.parent);
  return parent?.id ?? "";
}

const byID = ({ messages }) => new Map(messages.map((message) => [message.id, message]));

/** What follows each message, by its id; what nothing stands before is under "". */
function followers(conversation) {
  const [known, found] = [byID(conversation), new Map()];
  for (const message of conversation.messages) {
    if (message.removed) continue;
    const parent = parentOf(message, known);
    if (found.has(parent)) found.get(parent).push(message);
    else found.set(parent, [message]);
  }
  return found;
}

/** From the first message to the last one of the chosen branch. */
function lineOf(conversation) {
  const following = followers(conversation);
  const chosen = new Set(pathTo(conversation, conversation.tip).map(({ id }) => id));
  const line = [];
  for (let next = following.get(""); next !== undefined; next = following.get(line.at(-1).id)) {
    line.push(next.find(({ id }) => chosen.has(id)) ?? next.at(-1));
  }
  return line;
}

/** The messages before the one with that id, and itself, without marks. */
function pathTo(conversation, id) {
  const [known, path] = [byID(conversation), []];
  // Whatever is written into a file, this ends: nobody follows one that comes later.
  for (let at = known.get(id); at !== undefined; at = known.get(at.parent)) {
    if (path.length > 0 && at.id >= path.at(-1).id) break;
    path.push(at);
  }
  return path.reverse();
}

/** What was said before a message, in its own branch. */
const before = (conversation, message) =>
  pathTo(conversation, message.id).filter(({ id, removed }) => id !== message.id && !removed);

/**
 * What is shown, in order: `{message, versions, isTail, isBeside}`. `versions` are the messages in whose place it
 * stands, itself among them; `isTail` says that nothing follows; `isBeside` that it is shown beside the line only.
 */
function shown(conversation) {
  const [following, known, line] = [followers(conversation), byID(conversation), lineOf(conversation)];
  return line.flatMap((message) => {
    const versions = following.get(parentOf(message, known)).filter(({ role }) => role === message.role);
    const isTail = message === line.at(-1);
    const columns = message.beside ? versions.filter(({ beside }) => beside === message.beside) : [message];
    return columns.map((one) => ({ message: one, versions, isTail, isBeside: one !== message }));
  });
}

/** Shows the branch that a message is in. */
function choose(conversation, { id }) {
  conversation.tip = id;
  conversation.turned = Math.max(Date.now(), conversation.turned + 1);
}
return { lineOf, before, shown, choose };
})();
const module_request = (() => {
// What a model is sent for an answer.

const { contentOf } = module_attachments;
const { before } = module_branches;

/** What a model is told that is to go on with its answer: not every server takes one that is to be continued. */
const goOnWords = "Go on exactly where your last answer broke off. Repeat nothing, and say nothing about it.";

/**
 * The request for `message`, an answer in the conversation: `{model, messages, settings}`, each of the messages
 * `{role, content, attachments}`. If it has content already, more of it is asked for.
 */
async function requestOf(conversation, message) {
  const said = sentBefore(conversation, message).map(spoken);
  if (message.content.trim() !== "") {
    said.push({ role: "assistant", content: message.content }, { role: "user", content: goOnWords });
  }
  const messages = await Promise.all(said.filter(isSomething).map(withContents));
  const instructions = conversation.instructions.trim();
  if (instructions !== "") messages.unshift({ role: "system", content: instructions, attachments: [] });
  return { model: message.model, messages, settings: conversation.settings };
}

/** The messages that go with the request for an answer. */
function sentBefore(conversation, message) {
  const said = before(conversation, message);
  const start = said.findIndex(({ id }) => id === conversation.start);
  return said.slice(Math.max(start, 0));
}

const spoken = ({ role, content, refusal, attachments }) =>
  ({ role, content: content.trim() === "" ? refusal ?? "" : content, attachments });

/** Answers that never began are not sent. */
const isSomething = ({ content, attachments }) => content.trim() !== "" || attachments?.length > 0;

async function withContents({ role, content, attachments = [] }) {
  return { role, content, attachments: await Promise.all(attachments.map(contentOf)) };
}
return { requestOf, sentBefore };
})();
const module_answering = (() => {
// An answer under way: asked for, shown as it grows, kept however it ends.

const { complete, goOn, stopStream } = module_completion;
const { Failure } = module_failure;
const { keep } = module_library;
const { requestOf } = module_request;
const { t } = module_words;

/** How long a growing answer may go unkept, in milliseconds. */
const keepInterval = 1000;
/** How often an answer is kept of which nothing comes, so that other tabs know that it is awaited, in milliseconds. */
const signOfLife = 5000;
/** The waits before each further try to go on with an answer that the gateway keeps, in milliseconds. */
const waits = [250, 1000, 3000, 6000];

class Answering {
  #abort = new AbortController();
  #keptAt = 0;
  /** How long it took to show what has come so far, in milliseconds. */
  #cost = 0;
  #isPending = false;
  /** Whether nothing of it is to be kept. */
  isAbandoned = false;
  /** Whether the answer is to be gone on with when the page is loaded next. */
  isAwaited = false;
  #isOver = false;

  /**
   * `view` shows `message` of `conversation`, an empty one or one that is to be gone on with; `grown` is called when it
   * shows more.
   */
  constructor(conversation, message, view, grown) {
    this.conversation = conversation;
    this.message = message;
    this.view = view;
    this.grown = grown;
  }

  /** The gateway would go on with an answer that it keeps. */
  stop() {
    if (this.message.place) stopStream(this.message.place);
    this.#abort.abort();
  }

  /** Stops, and does not keep what there is. */
  abandon() {
    this.isAbandoned = true;
    this.stop();
  }

  /** Keeps what there is, for other tabs and for later. Returns false where the browser cannot. */
  keep() {
    if (this.isAbandoned) return true;
    if (this.#isOver) delete this.message.growing;
    else this.message.growing = Date.now();
    return this.#keepAsItIs();
  }

  /** The page is being left: what has come is a stopped answer. */
  leave() {
    if (this.isAbandoned) return;
    delete this.message.growing;
    this.#keepAsItIs();
  }

  #keepAsItIs() {
    this.#keptAt = performance.now();
    this.conversation.updated = Date.now();
    this.message.revision += 1;
    return keep(this.conversation);
  }

  /** Until the end, which is never an error: what went wrong is in the message. Returns whether it was kept. */
  async run() {
    // So it is kept if the page goes away; whoever comes to the end takes it back.
    this.message.stopped = true;
    delete this.message.error;
    this.view.update(true);
    const isResumed = this.message.place !== undefined;
    const signs = setInterval(() => this.keep(), signOfLife);
    try {
      const options = { signal: this.#abort.signal, changed: () => this.#changed() };
      if (isResumed) await this.#goOn(options);
      else await this.#ask(options);
      delete this.message.stopped;
    } catch (error) {
      // The key has to be entered again, or the gateway has to be there again: for when the page is loaded next.
      this.isAwaited = isResumed && (error.status === 401 || mayWorkLater(error));
      // What is gone stays as it was when the page was left: stopped.
      const isGone = isResumed && [401, 404, 410].includes(error.status);
      const isLater = isResumed && mayWorkLater(error);
      if (error.name !== "AbortError" && !isGone) {
        // A page that is being left sees its connections break first: that is no failure, and this never goes on.
        await new Promise((resolve) => { setTimeout(resolve, 100); });
        if (!isLater) delete this.message.stopped;
        const failure = error instanceof Failure ? error : new Failure(t("The page failed to show the answer."));
        this.message.error = { message: failure.message, retryAfter: failure.retryAfter, code: failure.kind };
      }
    }
    clearInterval(signs);
    if (!this.isAwaited) delete this.message.place;
    this.#isPending = false;
    this.#isOver = true;
    this.view.update(false);
    this.grown();
    return this.keep();
  }

  async #ask(options) {
    const { message } = this;
    const request = await requestOf(this.conversation, message);
    const earlier = message.content === "" ? 0 : message.usage?.completion ?? 0;
    delete message.finish;
    delete message.timing;
    delete message.usage;
    await complete(request, message, options);
    if (message.usage?.completion != null) message.usage.completion += earlier;
  }

  /** Tries again where the gateway cannot be reached, is busy or breaks off: it may be starting anew. */
  async #goOn(options) {
    for (let tries = 0; ; tries += 1) {
      const event = this.message.place.event;
      try {
        return await goOn(this.message, options);
      } catch (error) {
        if (!mayWorkLater(error)) throw error;
        // What has come on counts as a beginning.
        if (this.message.place.event !== event) tries = 0;
        if (tries >= waits.length) throw error;
        await pause(waits[tries], options.signal);
      }
    }
  }

  /** Shows a batch of events at once, when the browser paints next; the longer showing takes, the more rarely. */
  #changed() {
    if (performance.now() - this.#keptAt > keepInterval) this.keep();
    if (this.#isPending) return;
    this.#isPending = true;
    if (this.#cost < 16) requestAnimationFrame(() => this.#show());
    else setTimeout(() => this.#show(), 4 * this.#cost);
  }

  #show() {
    if (!this.#isPending) return;
    this.#isPending = false;
    const startedAt = performance.now();
    this.view.update(true);
    this.grown();
    this.#cost = performance.now() - startedAt;
  }
}

const mayWorkLater = (error) => error instanceof Failure && error.isPassing;

/** Throws an AbortError when it is stopped meanwhile. */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
return { Answering };
})();
const module_place = (() => {
// Which answers this tab follows, for when its page is loaded again. A tab that is closed follows none.

const key = "headgate.following";

/** Keeps that the tab follows `messages` of a conversation; without any it follows nothing. */
function following(conversation, messages) {
  try {
    if (messages.length === 0) sessionStorage.removeItem(key);
    else {
      const ids = messages.map(({ id }) => id);
      sessionStorage.setItem(key, JSON.stringify({ conversation: conversation.id, messages: ids }));
    }
  } catch {
    // A browser may refuse storage altogether.
  }
}

/** The ids `{conversation, messages}`; null when there is none. */
function followed() {
  try {
    const { conversation, messages } = JSON.parse(sessionStorage.getItem(key));
    return typeof conversation === "string" && Array.isArray(messages) ? { conversation, messages } : null;
  } catch {
    return null;
  }
}
return { following, followed };
})();
const module_asking = (() => {
// What is asked in the conversation that is shown, and the answers under way.

const { Answering } = module_answering;
const { kept } = module_attachments;
const { choose, lineOf, shown } = module_branches;
const { merge, newTurn, remove: removeMessage, titleOf } = module_conversation;
const { latest } = module_library;
const { followed, following } = module_place;
const { sentBefore } = module_request;
const { t } = module_words;

class Asking {
  #thread;
  #hears;
  #underWay = new Set();
  /** The answers that this tab follows, with their conversations. */
  #followed = new Map();
  #isPreparing = false;

  /** `hears` is called back: `grown()`, `began(conversation)`, `ended(answering, wasKept)`, `notice(text)`. */
  constructor(thread, hears) {
    this.#thread = thread;
    this.#hears = hears;
  }

  get isBusy() {
    return this.#isPreparing || this.#underWay.size > 0;
  }

  stop() {
    for (const answering of this.#underWay) answering.stop();
  }

  /** Ends the answers of a conversation that is no more. */
  abandon(id) {
    for (const answering of this.#underWay) if (answering.conversation.id === id) answering.abandon();
  }

  keep() {
    for (const answering of this.#underWay) answering.keep();
  }

  leave() {
    for (const answering of this.#underWay) answering.leave();
  }

  /** Asks one model, or several side by side; `edited` is the message in whose place the new one stands. */
  async submit({ text, files, edited, models }) {
    const { conversation } = this.#thread;
    let attachments = [];
    if (files.length > 0) {
      this.#isPreparing = true;
      attachments = await kept(files.filter(({ id }) => id === undefined));
      this.#isPreparing = false;
      attachments.unshift(...files.filter(({ id }) => id !== undefined));
    }
    const turn = newTurn(conversation);
    const parent = edited?.parent ?? lineOf(conversation).at(-1)?.id ?? "";
    const question = { id: `${turn}-0`, parent, revision: 1, role: "user", content: text,
      ...(attachments.length > 0 ? { attachments } : {}) };
    conversation.messages.push(question);
    if (conversation.title === "") conversation.title = titleOf(text || attachments[0].name);
    if (edited) choose(conversation, question);
    this.#answer(conversation, question.id, turn, models, models.length > 1 ? turn : undefined);
  }

  /** Asks again in place of a failed answer, if it is the last message: another one has been talked on from. */
  retry(message, model) {
    const { conversation } = this.#thread;
    if (this.isBusy || !shown(conversation).some((row) => row.message === message && row.isTail)) return;
    const { parent, beside } = message;
    const isChosen = lineOf(conversation).at(-1) === message;
    const models = [beside === undefined ? model : message.model || model];
    removeMessage(message);
    this.#answer(conversation, parent, newTurn(conversation), models, beside, isChosen);
  }

  /** Asks for another answer beside this one, which stays as a branch of its own. */
  again({ parent }, model) {
    if (this.isBusy) return;
    const { conversation } = this.#thread;
    this.#answer(conversation, parent, newTurn(conversation), [model], undefined);
  }

  /** Asks for more of an answer that was cut. */
  goOn(message) {
    if (!this.isBusy) this.#fill(this.#thread.conversation, message);
  }

  /** Asks again without the older half of what was said. */
  dropOldest(message, model) {
    if (this.isBusy) return;
    const questions = sentBefore(this.#thread.conversation, message).filter(({ role }) => role === "user");
    if (questions.length < 2) {
      this.#hears.notice(
        t("Nothing older is left to drop: shorten the message, or take a model with a larger context."));
      return;
    }
    this.#thread.change({ start: questions[Math.floor(questions.length / 2)].id });
    this.retry(message, model);
  }

  /** Goes on with the answers during which the page was loaded again; `open` shows another conversation. */
  resume(open) {
    const place = followed();
    const there = place === null || this.isBusy ? null : latest(place.conversation);
    if (there === null) return;
    if (there.id !== this.#thread.conversation.id) open(there);
    const { conversation } = this.#thread;
    for (const message of conversation.messages) {
      const isOne = place.messages.includes(message.id) && message.place && message.stopped && !message.removed;
      if (isOne) this.#fill(conversation, message);
    }
  }

  #answer(conversation, parent, turn, models, beside, isChosen = true) {
    const messages = models.map((model, index) => ({ id: `${turn}-${index + 1}`, parent, revision: 0,
      role: "assistant", content: "", model, ...(beside === undefined ? {} : { beside }) }));
    conversation.messages.push(...messages);
    const isFork = conversation.messages.some(({ id, parent: other, removed }) =>
      other === parent && !removed && id !== messages[0].id);
    if (isFork && isChosen) choose(conversation, messages[0]);
    for (const message of messages) this.#fill(conversation, message);
  }

  async #fill(conversation, message) {
    const answering = new Answering(conversation, message, this.#thread.hold(message), () => this.#hears.grown());
    this.#underWay.add(answering);
    this.#note(message, conversation);
    // With every change that waits for it.
    this.#thread.dropChange();
    const isKept = answering.keep();
    this.#hears.began(conversation);
    const wasKept = (await answering.run()) && isKept;
    this.#underWay.delete(answering);
    this.#thread.release(message);
    if (!answering.isAwaited) this.#note(message, null);
    const { conversation: now } = this.#thread;
    // The reader may have left the conversation and come back meanwhile.
    if (now !== conversation && now.id === conversation.id) merge(now, conversation);
    this.#hears.ended(answering, wasKept);
  }

  /** Takes note that the tab follows a message, or does no more. */
  #note(message, conversation) {
    if (conversation === null) this.#followed.delete(message);
    else this.#followed.set(message, conversation);
    const there = conversation ?? [...this.#followed.values()].at(-1);
    following(there, [...this.#followed].filter(([, one]) => one === there).map(([one]) => one));
  }
}
return { Asking };
})();
const module_icons = (() => {
// The pages' own icons: paths on a grid of 20 by 20, drawn with a stroke of the text's colour.

const { shape } = module_dom;

const paths = new Map([
  ["gate", "M3 4h14M5 4v13M15 4v13M5 9h10M5 13h10"],
  ["chat",
    "M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5z"],
  ["status", "M2 11h4l2-6 4 11 2-5h4"],
  ["key", "M12.5 11.5a4 4 0 1 0-3.4-1.9L3 15.7V17h3v-2h2v-2h1.5l1.4-1.6M13.5 6.5h.01"],
  ["usage", "M3 3v14h14M7 14v-4M11 14V6M15 14v-6"],
  ["docs", "M4 4.5A1.5 1.5 0 0 1 5.5 3H16v11H5.5A1.5 1.5 0 0 0 4 15.5zM4 15.5A1.5 1.5 0 0 0 5.5 17H16v-3"],
  ["sun", "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    + "M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"],
  ["moon", "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z"],
  ["leave", "M8 4H4v12h4M12 6l4 4-4 4M16 10H8"],
  ["menu", "M3 5h14v10H3zM8 5v10"],
  ["plus", "M10 4v12M4 10h12"],
  ["more", "M4.5 10h.01M10 10h.01M15.5 10h.01"],
  ["edit", "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.5 6l2.6 2.6"],
  ["delete", "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6"],
  ["copy", "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z"],
  ["check", "M4 10.5l4 4 8-9"],
  ["again", "M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5"],
  ["forward", "M5 4l6 6-6 6M11 4l6 6-6 6"],
  ["send", "M10 16V4M4.5 9.5L10 4l5.5 5.5"],
  ["stop", "M6 6h8v8H6z"],
  ["attach", "M15.5 9.5l-5.8 5.8a3.5 3.5 0 0 1-5-5l6.3-6.3a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3"],
  ["camera", "M3 6.5h3L7.5 4h5L14 6.5h3V16H3zM10 8.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4"],
  ["settings", "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4"],
  ["close", "M5 5l10 10M15 5L5 15"],
  ["down", "M5 8l5 5 5-5"],
  ["left", "M12 5l-5 5 5 5"],
  ["right", "M8 5l5 5-5 5"],
  ["info", "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9v5M10 6.3h.01"],
  ["file", "M5 3h7l4 4v10H5zM12 3v4h4"],
]);

function icon(name) {
  return shape("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    shape("path", { d: paths.get(name) }));
}

/** Draws the icons that the page names in its markup. */
function placeIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.replaceChildren(icon(node.dataset.icon));
}
return { icon, placeIcons };
})();
const module_attachment_view = (() => {
// Attachments as the reader sees them.

const { kindOf, pictureAddress } = module_attachments;
const { element } = module_dom;
const { icon } = module_icons;
const { t } = module_words;

/** The files of a message that was sent. */
const attachmentList = (attachments) =>
  element("ul", { class: "attachments", "aria-label": t("Attachments") }, ...attachments.map((one) => {
    const node = element("li", {}, ...chip(one));
    if (kindOf(one.type) === "image") showPicture(node, one);
    return node;
  }));

/** A file that is to go with the next message. `removed` is called when it is not. */
function draftNode(file, removed) {
  const { name, type, bytes } = file;
  const node = element("li", {}, ...chip(file),
    element("button", { type: "button", "aria-label": t("Remove {name}", { name }), title: t("Remove"),
      click: removed }, icon("close")));
  if (kindOf(type) !== "image") return node;
  if (bytes === undefined) showPicture(node, file);
  else node.prepend(picture(name, URL.createObjectURL(new Blob([bytes], { type }))));
  return node;
}

const chip = ({ name, type, size }) => [
  element("span", { class: "file-name" }, name),
  element("span", { class: "faint" }, `${t(kindNames[kindOf(type)])}, ${sizeText(size)}`),
];

const kindNames = { image: "picture", pdf: "PDF", text: "text" };

async function showPicture(node, attachment) {
  const address = await pictureAddress(attachment);
  if (address === null) node.append(element("span", { class: "faint" }, t("(not in this browser)")));
  else node.prepend(picture(attachment.name, address));
}

const picture = (name, address) => element("img", { class: "preview", alt: name, src: address });

function sizeText(size) {
  if (size < 1024) return `${size} B`;
  return size < 1024 * 1024 ? `${Math.round(size / 1024)} KiB` : `${(size / 1024 / 1024).toFixed(1)} MiB`;
}
return { attachmentList, draftNode };
})();
const module_composer = (() => {
// What is to be sent: the words, and the files that go with them.

const { draftNode } = module_attachment_view;
const { kindOf, problemOf, taken } = module_attachments;
const { find } = module_dom;
const { takesPdf } = module_routes;
const { t } = module_words;

const prompt = find("prompt");

class Composer {
  #files = [];
  /** The message in whose place the next one stands. */
  #edited = null;
  #changed;

  /** `send` is called when the reader wants it; `changed` when there is something else to be sent. */
  constructor({ send, changed }) {
    this.#changed = changed;
    find("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      send();
      prompt.focus();
    });
    prompt.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      send({ isKey: true });
    });
    prompt.addEventListener("input", () => changed());
    prompt.addEventListener("paste", (event) => this.#takeTransfer(event, event.clipboardData));
    const main = document.querySelector("main");
    main.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    main.addEventListener("drop", (event) => this.#takeTransfer(event, event.dataTransfer));
    for (const [button, input] of [["attach", "attach-files"], ["camera", "attach-camera"]]) {
      find(button).addEventListener("click", () => find(input).click());
      find(input).addEventListener("change", async ({ target }) => {
        await this.#take([...target.files]);
        // The same file may be chosen again.
        target.value = "";
      });
    }
    find("edit-cancel").addEventListener("click", () => this.clear());
  }

  get text() {
    return prompt.value;
  }

  get isEmpty() {
    return prompt.value.trim() === "" && this.#files.length === 0;
  }

  get isEditing() {
    return this.#edited !== null;
  }

  focus() {
    prompt.focus();
  }

  /** Says before anything is sent what one of these models may not take. */
  doubt(models) {
    const hasPdf = this.#files.some(({ type }) => kindOf(type) === "pdf");
    const doubtful = hasPdf ? models.filter((model) => !takesPdf(model)) : [];
    const note = doubtful.length === 0 ? ""
      : t("Not every model takes PDF: {models} might refuse it.", { models: doubtful.join(", ") });
    // A status that is set anew is read out anew.
    if (find("file-doubt").textContent !== note) find("file-doubt").textContent = note;
  }

  /** What there is, which is then here no more. */
  take() {
    const taken = { text: prompt.value, files: this.#files, edited: this.#edited };
    this.clear();
    return taken;
  }

  clear() {
    prompt.value = "";
    this.#show([], null);
  }

  /** Offers words that the reader may change before they are sent. */
  suggest(text) {
    prompt.value = text;
    prompt.focus();
    this.#changed();
  }

  /** Lets the reader change a message that was sent. */
  edit(message) {
    prompt.value = message.content;
    this.#show([...message.attachments ?? []], message);
    prompt.focus();
  }

  #takeTransfer(event, data) {
    const files = [...data?.files ?? []];
    // A text from an office program comes with a picture of itself.
    if (files.length === 0 || (event.type === "paste" && data.types.includes("text/plain"))) return;
    event.preventDefault();
    this.#take(files);
  }

  async #take(files) {
    for (const file of files) {
      try {
        const one = await taken(file);
        // Others may have come meanwhile.
        const all = [...this.#files, one];
        const problem = problemOf(all);
        if (problem !== null) throw new Error(problem);
        this.#show(all, this.#edited);
      } catch (error) {
        find("attach-notice").textContent = error.message;
        return;
      }
    }
    prompt.focus();
  }

  #show(files, edited) {
    this.#files = files;
    this.#edited = edited;
    find("attach-notice").textContent = "";
    find("editing").hidden = edited === null;
    find("draft-files").hidden = files.length === 0;
    find("draft-files").replaceChildren(...files.map((file) =>
      draftNode(file, () => this.#show(this.#files.filter((one) => one !== file), this.#edited))));
    this.#changed();
  }
}
return { Composer };
})();
const module_figures = (() => {
// Numbers and times as the pages write them, in the reader's language.

const { locale, t } = module_words;

const whole = (value) => value.toLocaleString(locale);

const clock = (time) => new Date(time).toLocaleTimeString(locale, { hourCycle: "h23" });

/** A day of the ledger, such as "2026-08-01". */
const day = (name) =>
  new Date(name).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });

/** With as few digits as say something. */
function dollars(value) {
  if (value === 0) return "$0";
  const digits = value >= 1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(value)));
  const bounds = { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits };
  return `$${value.toLocaleString(locale, bounds)}`;
}

function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

function span(seconds) {
  const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const first = Math.max(0, units.findIndex(([, size]) => seconds >= size));
  const found = seconds < 1 ? [["second", 0]] : units.slice(first, first + 2).map(([unit, size], index) =>
    [unit, Math.floor((index === 0 ? seconds : seconds % units[first][1]) / size)]);
  return found.filter(([, count], index) => index === 0 || count > 0)
    .map(([unit, count]) => count.toLocaleString(locale, { style: "unit", unit, unitDisplay: "short" })).join(" ");
}

/** Such as "4 min ago". */
function ago(time) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time)) / 1000));
  const size = [86_400, 3600, 60, 1].find((one) => seconds >= one) ?? 1;
  return t("{time} ago", { time: span(seconds - (seconds % size)) });
}
return { whole, clock, day, dollars, milliseconds, span, ago };
})();
const module_model_facts = (() => {
// What the gateway's list says of a model, in words.

const { dollars, whole } = module_figures;
const { locale, t } = module_words;

const places = new Map([["device", "on this device"], ["local", "local"], ["cloud", "cloud"]]);

/** The provider, where the model runs, its context, and its price, as far as the list says it. */
function factsOf(model) {
  const context = model.context_length;
  const price = priceOf(model);
  return [
    model.upstream ?? model.owned_by,
    places.has(model.location) ? t(places.get(model.location)) : undefined,
    Number.isSafeInteger(context) ? t("{count} tokens of context", { count: short(context) }) : undefined,
    price === null ? undefined : price.prompt === 0 && price.completion === 0 ? t("free")
      : t("{prompt} in, {completion} out per million",
        { prompt: dollars(price.prompt * 1e6), completion: dollars(price.completion * 1e6) }),
  ].filter((fact) => typeof fact === "string");
}

/** The model that comes with the gateway is there to try things out. */
const isDemo = ({ location }) => location === "device";

/** US dollars for a token, `{prompt, completion}`, in OpenRouter's form; null if the list does not say them. */
function priceOf({ pricing }) {
  const [prompt, completion] = [pricing?.prompt, pricing?.completion].map((text) =>
    (typeof text === "string" && text !== "" ? Number(text) : typeof text === "number" ? text : NaN));
  return prompt >= 0 && completion >= 0 && prompt + completion < 1 ? { prompt, completion } : null;
}

const short = (count) => (count >= 10_000
  ? count.toLocaleString(locale, { notation: "compact", maximumFractionDigits: 1 }) : whole(count));
return { factsOf, isDemo, priceOf };
})();
const module_models = (() => {
// The models that the gateway lists, to choose from by their names and what is known of them.

const { ask } = module_access;
const { element, find } = module_dom;
const { factsOf, isDemo } = module_model_facts;
const { noteModels } = module_routes;
const { t } = module_words;

/** By name, as the gateway lists them. */
let listed = new Map();

/** The names that the gateway has listed. */
const listedModels = () => [...listed.keys()];

/** What the list says of a model; undefined if it is not listed. */
const listedModel = (name) => listed.get(name);

/** A combobox: what is typed looks for a model, or is the name of one that is not listed. */
class ModelPicker {
  #input = find("model");
  #list = find("model-list");
  #chosen = "";
  /** The names that the open list offers, and which of them the arrow keys have reached. */
  #offered = [];
  #active = 0;
  #chose;
  #listed;

  /** `chose` is called with the name of a model, `listed` when there is a list. */
  constructor({ chose, listed }) {
    this.#chose = chose;
    this.#listed = listed;
    const input = this.#input;
    input.addEventListener("input", () => this.#offer(input.value.trim()));
    input.addEventListener("click", () => this.open());
    input.addEventListener("blur", () => this.#close());
    input.addEventListener("keydown", (event) => this.#press(event));
    // The list does not take the focus, whose loss would close it before the click arrives.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option !== null) this.#take(this.#offered[[...this.#list.children].indexOf(option)]);
    });
  }

  get model() {
    return this.#chosen;
  }

  /** Asks the gateway for its models. */
  async load() {
    try {
      const list = await (await ask("/v1/models")).json();
      const models = list.data.filter((model) => typeof model.id === "string");
      noteModels(models);
      listed = new Map(models.map((model) => [model.id, model]));
    } catch (failure) {
      this.#input.placeholder = failure.status === 401 ? t("Models: needs a key") : t("Models: not listed");
      return;
    }
    this.choose(this.#chosen || listedModels()[0] || "");
    this.#listed();
  }

  choose(model) {
    this.#chosen = model;
    if (this.#isOpen) return;
    this.#input.value = model;
    this.#input.title = model === "" ? t("Model (Alt+M)") : `${model} (Alt+M)`;
  }

  /** Offers all models, whatever was typed before. */
  open() {
    this.#input.focus();
    if (this.#isOpen) return;
    this.#input.select();
    this.#offer("");
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  #offer(words) {
    const wanted = words.toLowerCase().split(/\s+/);
    const says = (model) => [model.id, ...factsOf(model)].join(" ").toLowerCase();
    const found = [...listed.values()].filter((model) => wanted.every((word) => says(model).includes(word)));
    this.#offered = found.map(({ id }) => id);
    // An upstream may serve more than it lists.
    if (words !== "" && !listed.has(words)) this.#offered.push(words);
    const exact = words === "" ? this.#chosen : listed.has(words) ? words : undefined;
    this.#active = Math.max(0, this.#offered.indexOf(exact));
    this.#list.replaceChildren(...this.#offered.map((name, index) => this.#option(name, index)));
    this.#show(this.#offered.length > 0);
    this.#mark();
  }

  #option(name, index) {
    const model = listed.get(name);
    const facts = model === undefined ? t("not listed; use this name") : factsOf(model).join(" · ");
    return element("li", { role: "option", id: `model-${index}`, "aria-selected": String(name === this.#chosen) },
      element("span", { class: "model-name" }, name),
      model !== undefined && isDemo(model) ? element("span", { class: "badge" }, t("tiny demo model, English only")) : null,
      element("span", { class: "faint" }, facts));
  }

  #mark() {
    for (const [index, option] of [...this.#list.children].entries()) {
      option.classList.toggle("active", index === this.#active);
      if (index === this.#active) option.scrollIntoView({ block: "nearest" });
    }
    this.#input.setAttribute("aria-activedescendant", this.#isOpen ? `model-${this.#active}` : "");
  }

  #press(event) {
    if (event.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!this.#isOpen) return this.open();
      const count = this.#offered.length;
      this.#active = (this.#active + (key === "ArrowDown" ? 1 : count - 1)) % count;
      this.#mark();
    } else if (key === "Enter") {
      event.preventDefault();
      if (this.#isOpen) this.#take(this.#offered[this.#active]);
    } else if (key === "Escape" && this.#isOpen) {
      event.stopPropagation();
      this.#close();
    }
  }

  #take(name) {
    this.#chosen = name ?? this.#chosen;
    this.#close();
    this.#chose(this.#chosen);
  }

  #close() {
    this.#show(false);
    this.choose(this.#chosen);
  }

  #show(isOpen) {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) this.#input.removeAttribute("aria-activedescendant");
  }
}
return { listedModels, listedModel, ModelPicker };
})();
const module_context_meter = (() => {
// How much of the model's context the next request takes.

const { ask } = module_access;
const { lineOf } = module_branches;
const { find } = module_dom;
const { listedModel } = module_models;
const { locale, t } = module_words;

/** What the gateway knows of its models' contexts, in tokens, by name; null where it does not. */
const windows = new Map();

/** Rough, and said to be: no page knows every model's tokens. */
const tokensIn = (text) => Math.ceil(text.length / 4);
const tokensOfFile = ({ type, size }) =>
  (type.startsWith("image/") ? 1000 : Math.ceil(size / (type === "application/pdf" ? 45 : 4)));

/** Shows it for what would be sent now. `again` is called when the context becomes known. */
function showContext(conversation, model, draft, again) {
  const { tokens, isCounted } = tokensOf(conversation, draft);
  const window = conversation.settings.window ?? windowOf(model, again);
  const meter = find("context");
  meter.hidden = tokens === 0;
  const amount = `${isCounted ? "" : "≈ "}${number(tokens)}`;
  find("context-text").textContent = window === null ? t("{amount} tokens so far", { amount })
    : t("{amount} of {all} tokens ({part} %)",
      { amount, all: number(window), part: Math.round((tokens / window) * 100) });
  find("context-meter").hidden = window === null;
  if (window === null) return;
  const bounds = { max: window, low: window * 0.75, high: window * 0.9, optimum: 0 };
  Object.assign(find("context-meter"), bounds, { value: tokens });
  meter.classList.toggle("full", tokens > window * 0.9);
}

/** What the last answer counted, and an estimate of what has come since; `isCounted` where nothing is estimated. */
function tokensOf(conversation, draft) {
  const line = lineOf(conversation);
  const start = Math.max(0, line.findIndex(({ id }) => id === conversation.start));
  const counted = line.findLastIndex(({ usage }) => usage?.prompt != null && usage.completion != null);
  const isUsable = counted > start;
  const rest = line.slice(isUsable ? counted + 1 : start);
  const texts = [...rest.map(({ content }) => content), draft, isUsable ? "" : conversation.instructions];
  const files = rest.flatMap(({ attachments = [] }) => attachments).map(tokensOfFile);
  const estimated = [...texts.map(tokensIn), ...files].reduce((sum, part) => sum + part, 0);
  const { usage } = isUsable ? line[counted] : {};
  return { tokens: estimated + (isUsable ? usage.prompt + usage.completion : 0), isCounted: estimated === 0 };
}

/** Null while it is not known. */
function windowOf(model, again) {
  const listed = listedModel(model);
  if (Number.isSafeInteger(listed?.context_length) && listed.context_length > 0) return listed.context_length;
  if (windows.has(model) || listed === undefined) return windows.get(model) ?? null;
  windows.set(model, null);
  learn(model).then((window) => {
    windows.set(model, window);
    if (window !== null) again();
  }, () => {});
  return null;
}

async function learn(model) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ model }) };
  const { model_info: info } = await (await ask("/api/show", options)).json();
  const window = info?.[`${info["general.architecture"]}.context_length`];
  return Number.isSafeInteger(window) && window > 0 ? window : null;
}

const number = (value) => value.toLocaleString(locale);
return { showContext };
})();
const module_follow = (() => {
// Keeps the end of a growing list in view, until the reader scrolls up.

class Follower {
  #scroller;
  #button;
  #isFollowing = true;
  #top = 0;

  constructor(scroller, button) {
    this.#scroller = scroller;
    this.#button = button;
    scroller.addEventListener("scroll", () => this.#note(), { passive: true });
    button.addEventListener("click", () => this.toEnd());
    // Long answers are laid out little by little.
    const sizes = new ResizeObserver(() => this.changed());
    for (const node of [scroller, ...scroller.children]) sizes.observe(node);
  }

  /** What is shown has changed its height. */
  changed() {
    if (this.#isFollowing) this.#jump();
    this.#button.hidden = this.#isFollowing || this.#isAtEnd();
  }

  toEnd() {
    this.#isFollowing = true;
    this.changed();
  }

  #note() {
    // The page grows while a scroll is under way: only a way up is the reader's own.
    if (this.#isAtEnd()) this.#isFollowing = true;
    else if (this.#scroller.scrollTop < this.#top) this.#isFollowing = false;
    this.#top = this.#scroller.scrollTop;
    this.#button.hidden = this.#isFollowing;
  }

  #jump() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
  }

  #isAtEnd() {
    return this.#scroller.scrollHeight - this.#scroller.clientHeight - this.#scroller.scrollTop < 24;
  }
}
return { Follower };
})();
const module_rail = (() => {
// What all pages begin with: their language, their icons, and the mark at the page that is shown.

const { placeIcons } = module_icons;
const { translatePage } = module_words;

function startPage() {
  translatePage();
  placeIcons();
  markPage();
  addEventListener("hashchange", markPage);
}

/** Two links lead to views of one page: the one that says more of the address counts. */
function markPage() {
  const links = [...document.querySelectorAll(".rail a")];
  const exact = links.find((link) => link.pathname === location.pathname && link.hash === location.hash);
  const shown = exact ?? links.find((link) => link.pathname === location.pathname);
  for (const link of links) {
    if (link === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
return { startPage };
})();
const module_presets = (() => {
// System prompts that the reader has given names to, kept in this browser.

const key = "headgate.presets";

/** `{name, text}` of each, by name. */
function presets() {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list.filter(isPreset).map(({ name, text }) => ({ name, text })) : [];
  } catch {
    return [];
  }
}

const isPreset = (one) => typeof one?.name === "string" && one.name !== "" && typeof one.text === "string";

/** In place of one of the same name. Returns whether the browser keeps it. */
function keepPreset(name, text) {
  const others = presets().filter((one) => one.name !== name);
  return keep([...others, { name, text }].sort((one, other) => one.name.localeCompare(other.name)));
}

const forgetPreset = (name) => keep(presets().filter((one) => one.name !== name));

function keep(list) {
  try {
    localStorage.setItem(key, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/** Calls back when another tab has changed them. */
function onPresets(changed) {
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) changed();
  });
}
return { presets, keepPreset, forgetPreset, onPresets };
})();
const module_toast = (() => {
// Short news at the foot of the page, which move nothing on it.

const { element, find } = module_dom;
const { icon } = module_icons;
const { t } = module_words;

/** How long news without an action stays, in milliseconds. */
const stay = 8000;
let timer;

/** Replaces what is said; `undo`, if there is one, takes it back, and stays until the next news. */
function toast(text, undo) {
  clearTimeout(timer);
  const leave = (act) => () => {
    find("toast").replaceChildren();
    act();
  };
  const button = (attributes, act, content) =>
    element("button", { type: "button", ...attributes, click: leave(act) }, content);
  find("toast").replaceChildren(...(text === "" ? [] : [element("span", {}, text),
    undo === undefined ? null : button({}, undo, t("Undo")),
    button({ class: "close", "aria-label": t("Dismiss"), title: t("Dismiss") }, () => {}, icon("close")),
  ].filter((one) => one !== null)));
  if (undo === undefined) timer = setTimeout(() => find("toast").replaceChildren(), stay);
}
return { toast };
})();
const module_settings_panel = (() => {
// What a conversation is held with besides its model: the system prompt and its presets, and how an answer is made.

const { checkedSettings } = module_checked;
const { element, find } = module_dom;
const { forgetPreset, keepPreset, onPresets, presets } = module_presets;
const { toast } = module_toast;
const { t } = module_words;

const instructions = find("instructions");
const fields = { temperature: find("temperature"), topP: find("top-p"), maxTokens: find("max-tokens"),
  window: find("window") };

class SettingsPanel {
  #changed;
  #presets = [];

  /** `changed` is called with the values that are new. */
  constructor(changed) {
    this.#changed = changed;
    instructions.addEventListener("input", () => {
      this.#markPreset();
      changed({ instructions: instructions.value });
    });
    for (const field of Object.values(fields)) field.addEventListener("input", () => this.#take());
    find("preset").addEventListener("change", () => this.#use(find("preset").value));
    find("preset-keep").addEventListener("click", () => this.#keep());
    find("preset-forget").addEventListener("click", () => {
      forgetPreset(find("preset").value);
      this.#listPresets();
    });
    find("settings-open").addEventListener("click", () => this.#open(find("settings").hidden));
    const close = () => {
      this.#open(false);
      find("settings-open").focus();
    };
    find("settings-close").addEventListener("click", close);
    find("settings").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
    onPresets(() => this.#listPresets());
    this.#listPresets();
  }

  /** Shows those of a conversation, and leaves alone what the reader is writing. */
  show(conversation) {
    if (instructions.value !== conversation.instructions) {
      instructions.value = conversation.instructions;
      this.#markPreset();
    }
    for (const [name, field] of Object.entries(fields)) {
      const value = String(conversation.settings[name] ?? "");
      // Half a number is none yet.
      if (field === document.activeElement) continue;
      if (Number(field.value) !== Number(value) || (field.value === "") !== (value === "")) field.value = value;
    }
    this.#count(conversation.settings);
  }

  /** On a narrow screen the drawer covers the messages. */
  closeIfNarrow() {
    if (!matchMedia("(min-width: 75rem)").matches) this.#open(false);
  }

  openInstructions() {
    this.#open(true);
    instructions.focus();
  }

  #open(isOpen) {
    find("settings").hidden = !isOpen;
    find("settings-open").setAttribute("aria-expanded", String(isOpen));
  }

  #take() {
    const values = {};
    for (const [name, field] of Object.entries(fields)) {
      if (field.value !== "" && field.checkValidity()) values[name] = field.valueAsNumber;
    }
    const settings = checkedSettings(values);
    this.#count(settings);
    this.#changed({ settings });
  }

  /** That something is set is seen also while the drawer is closed. */
  #count(settings) {
    const count = Object.keys(settings).length;
    find("settings-count").textContent = count === 0 ? "" : ` (${count})`;
  }

  #listPresets() {
    this.#presets = presets();
    const names = this.#presets.map(({ name }) => name);
    find("preset").replaceChildren(
      element("option", { value: "" }, names.length === 0 ? t("No presets yet") : t("Preset…")),
      ...names.map((name) => element("option", { value: name }, name)));
    this.#markPreset();
  }

  #markPreset() {
    const same = this.#presets.find(({ text }) => text === instructions.value);
    find("preset").value = same?.name ?? "";
    find("preset-forget").disabled = same === undefined;
    find("preset-keep").disabled = same !== undefined || instructions.value.trim() === "";
  }

  #use(name) {
    const preset = this.#presets.find((one) => one.name === name);
    if (preset === undefined) return;
    instructions.value = preset.text;
    this.#markPreset();
    this.#changed({ instructions: preset.text });
  }

  #keep() {
    const name = prompt(t("Name of the preset"))?.trim().slice(0, 80);
    if (!name) return;
    const isKept = keepPreset(name, instructions.value);
    if (!isKept) toast(t("The preset is not stored: the browser's storage is full or closed."));
    this.#listPresets();
  }
}
return { SettingsPanel };
})();
const module_conversation_entry = (() => {
// A conversation in the list: opened there, and renamed or deleted in its menu.

const { element } = module_dom;
const { icon } = module_icons;
const { locale, t } = module_words;

const day = 86_400_000;

/** The heading under which a time stands. */
function dayOf(time) {
  const today = new Date().setHours(0, 0, 0, 0);
  if (time >= today) return t("Today");
  if (time >= today - day) return t("Yesterday");
  if (time >= today - 7 * day) return t("Last seven days");
  return new Date(time).toLocaleDateString(locale, { year: "numeric", month: "long" });
}

class ConversationEntry {
  updated = 0;
  #day = element("h2", { class: "day" });
  #title;
  #menu;
  #rename;
  #save;
  #remove;
  #input = null;
  #renamed;

  constructor(id, { opened, removed, renamed, saved }) {
    this.#renamed = (title) => renamed(id, title);
    this.#title = element("button", { type: "button", class: "title", click: () => opened(id) });
    const item = (name, text, act) => element("button", { type: "button", click: () => {
      this.#menu.open = false;
      act();
    } }, icon(name), text);
    this.#rename = item("edit", t("Rename"), () => this.#startRenaming());
    this.#save = item("file", t("Save as Markdown"), saved);
    this.#remove = item("delete", t("Delete"), () => removed(id));
    // Menus of one name close each other.
    this.#menu = element("details", { class: "menu", name: "conversation-menu", keydown: (event) => this.#close(event),
      focusout: ({ relatedTarget }) => {
        if (!this.#menu.contains(relatedTarget)) this.#menu.open = false;
      } }, element("summary", {}, icon("more")), element("div", {}, this.#rename, this.#save, this.#remove));
    this.node = element("li", {}, this.#day, element("div", { class: "entry" }, this.#title, this.#menu));
  }

  follow({ title, updated }) {
    this.updated = updated;
    const name = title || t("Untitled");
    if (this.#title.textContent === name) return;
    this.#title.textContent = name;
    this.#title.title = name;
    this.#menu.firstChild.setAttribute("aria-label", t("Options of {name}", { name }));
    this.#rename.setAttribute("aria-label", t("Rename {name}", { name }));
    this.#save.setAttribute("aria-label", t("Save {name} as Markdown", { name }));
    this.#remove.setAttribute("aria-label", t("Delete {name}", { name }));
  }

  mark(isShown) {
    if (isShown) this.#title.setAttribute("aria-current", "true");
    else this.#title.removeAttribute("aria-current");
  }

  /** `before` is the heading above, under which the entry may stand too. Returns its own. */
  showDay(before) {
    const own = dayOf(this.updated);
    this.#day.hidden = own === before;
    if (this.#day.textContent !== own) this.#day.textContent = own;
    return own;
  }

  #close(event) {
    if (event.key !== "Escape" || !this.#menu.open) return;
    event.stopPropagation();
    this.#menu.open = false;
    this.#menu.firstChild.focus();
  }

  #startRenaming() {
    if (this.#input !== null) return;
    const input = element("input", { "aria-label": t("New title"), maxlength: 80, value: this.#title.textContent,
      blur: () => this.#endRenaming(true),
      keydown: (event) => {
        if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
        event.stopPropagation();
        this.#endRenaming(event.key === "Enter");
        this.#title.focus();
      } });
    this.#input = input;
    this.#title.hidden = true;
    this.#title.before(input);
    input.focus();
    input.select();
  }

  #endRenaming(isKept) {
    const input = this.#input;
    if (input === null) return;
    // Before it leaves the page, which takes its focus and so ends this once more.
    this.#input = null;
    const title = input.value.trim();
    input.remove();
    this.#title.hidden = false;
    if (isKept && title !== "" && title !== this.#title.textContent) this.#renamed(title);
  }
}
return { dayOf, ConversationEntry };
})();
const module_same = (() => {
// Whether what is said in one conversation is said in another: their ids tell nothing, as each browser makes its own.

/** Conversations that others are compared with; each is read once, however many there are. */
class Known {
  /** Numbers of what is said and all that was said before it. */
  #numbers = new Map();
  /** What is said in each, as a set of these numbers. */
  #all = [];
  /** The sets that have a number. */
  #with = new Map();

  constructor(conversations) {
    for (const conversation of conversations) this.#add(this.#placesIn(conversation));
  }

  /** Takes one in, unless all its messages stand in one that is known, each after the same ones; returns whether. */
  takes(conversation) {
    const places = this.#placesIn(conversation);
    const last = [...places].at(-1);
    const candidates = last === undefined ? this.#all : this.#with.get(last) ?? [];
    if (candidates.some((one) => [...places].every((place) => one.has(place)))) return false;
    this.#add(places);
    return true;
  }

  #add(places) {
    this.#all.push(places);
    for (const place of places) {
      if (!this.#with.has(place)) this.#with.set(place, []);
      this.#with.get(place).push(places);
    }
  }

  /** Each message as a number that stands for what it says and all that was said before it. */
  #placesIn({ messages }) {
    const byID = new Map([["", 0]]);
    const places = new Set();
    for (const { id, parent, role, content, removed, attachments = [] } of messages) {
      const before = byID.get(parent) ?? 0;
      if (removed) {
        byID.set(id, before);
        continue;
      }
      const files = attachments.map(({ name, size }) => [name, size]);
      const key = JSON.stringify([before, role, content, files]);
      if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size + 1);
      byID.set(id, this.#numbers.get(key));
      places.add(this.#numbers.get(key));
    }
    return places;
  }
}
return { Known };
})();
const module_exchange = (() => {
// Conversations as files: all of them out, and those of a file in.

const { exportedAttachment, importedAttachment } = module_attachments;
const { checkedConversation, importedConversation } = module_checked;
const { conversations, forget, keep } = module_library;
const { Known } = module_same;
const { t } = module_words;

const largestFile = 1024 * 1024 * 1024;

/** All conversations as the text of a file, with their branches and attachments, also those that are not kept. */
async function exported() {
  const all = await Promise.all(conversations().map(async (conversation) => {
    // A copy: what is taken away may have been written from.
    const { messages, ...others } = checkedConversation(structuredClone(conversation));
    return { ...others, messages: await Promise.all(withoutMarks(messages).map(withFiles)) };
  }));
  return JSON.stringify({ format: "headgate-conversations", version: 2, conversations: all }, null, 2);
}

function withoutMarks(messages) {
  const parents = new Map();
  for (const { id, parent, removed } of messages) parents.set(id, removed ? parents.get(parent) ?? "" : id);
  return messages.filter(({ removed }) => !removed)
    .map((message) => ({ ...message, parent: parents.get(message.parent) ?? "" }));
}

async function withFiles(message) {
  if (message.attachments === undefined) return message;
  return { ...message, attachments: await Promise.all(message.attachments.map(exportedAttachment)) };
}

/**
 * Adds the conversations of an exported file that are not here already, or none if one is wrong. Returns
 * `{added, known}`: the new ones, and how many were here; throws for the reader.
 */
async function importFile(file) {
  if (file.size > largestFile) throw new Error(t("The file is larger than 1 GiB."));
  const read = conversationsIn(await textOf(file));
  const known = new Known(conversations());
  const added = read.filter((conversation) => known.takes(conversation));
  await takeFiles(added);
  for (const conversation of added) {
    if (keep(conversation)) continue;
    for (const { id } of added) forget(id);
    throw new Error(t("Nothing was imported: the browser's storage is full."));
  }
  return { added, known: read.length - added.length };
}

async function textOf(file) {
  try {
    return await file.text();
  } catch {
    throw new Error(t("The file cannot be read: it is gone, or larger than this browser reads at once."));
  }
}

function conversationsIn(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(t("The file is not JSON."));
  }
  const isExport = content?.format === "headgate-conversations" && [1, 2].includes(content.version)
    && Array.isArray(content.conversations);
  if (!isExport) throw new Error(t("The file is not an export of conversations."));
  try {
    return content.conversations.map(importedConversation);
  } catch (error) {
    throw new Error(t("Nothing was imported: {reason}.", { reason: error.message }));
  }
}

async function takeFiles(added) {
  try {
    for (const message of added.flatMap(({ messages }) => messages)) {
      if (message.attachments) message.attachments = await Promise.all(message.attachments.map(importedAttachment));
    }
  } catch (error) {
    throw new Error(t("Nothing was imported: {reason}", { reason: error.message }));
  }
}
return { exported, importFile };
})();
const module_markdown_file = (() => {
// A conversation as a Markdown file: the branch that is shown, as it was written.

const { lineOf } = module_branches;
const { element } = module_dom;
const { t } = module_words;

function markdownOf(conversation) {
  const title = conversation.title || t("Untitled");
  const parts = lineOf(conversation).map(({ role, model, content, refusal, attachments = [], reasoning }) => [
    `## ${role === "user" ? t("You") : model || t("Assistant")}`,
    ...attachments.map(({ name }) => `*${name}*`),
    reasoning ? reasoning.trimEnd().replace(/^/gm, "> ") : "",
    content || refusal || "",
  ].filter((text) => text !== "").join("\n\n"));
  const instructions = conversation.instructions.trim();
  const system = instructions === "" ? [] : [`## ${t("System prompt")}\n\n${instructions}`];
  return `${[`# ${title}`, ...system, ...parts].join("\n\n")}\n`;
}

/** Saves a text as a file of the reader. */
function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name out of a title. */
const fileName = (title) =>
  `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "chat"}.md`;
return { markdownOf, download, fileName };
})();
const module_search = (() => {
// Which conversations hold the words that the reader looks for.

/** Whether every one of the words stands somewhere in the conversation, in letters of either case. */
function says(conversation, words) {
  if (conversation === null) return false;
  const { title, instructions, messages } = conversation;
  const texts = [title, instructions, ...messages.flatMap(({ content, attachments = [] }) =>
    [content, ...attachments.map(({ name }) => name)])].map((text) => text.toLowerCase());
  return words.toLowerCase().split(/\s+/).every((word) => texts.some((text) => text.includes(word)));
}
return { says };
})();
const module_sidebar = (() => {
// The list of conversations, and their way in and out as files.

const { ConversationEntry } = module_conversation_entry;
const { find } = module_dom;
const { exported, importFile } = module_exchange;
const { latest } = module_library;
const { download, fileName, markdownOf } = module_markdown_file;
const { says } = module_search;
const { toast } = module_toast;
const { t } = module_words;

class Sidebar {
  #does;
  /** The ConversationEntry of each, by its id. */
  #entries = new Map();
  /** The id of the one that is shown. */
  #shown;

  /**
   * `does` is called with the id of a conversation: `opened(id)`, `removed(id)`, `renamed(id, title)`; and
   * `exporting()` before all of them are exported.
   */
  constructor(does) {
    this.#does = does;
    find("toggle-conversations").addEventListener("click", () => this.toggle());
    find("export").addEventListener("click", () => this.#export());
    find("import").addEventListener("click", () => find("import-file").click());
    find("import-file").addEventListener("change", (event) => this.#take(event.target));
    find("search").addEventListener("input", () => this.#arrange());
    this.#open(matchMedia("(min-width: 50rem)").matches);
  }

  toggle() {
    this.#open(find("conversations").hidden);
  }

  /** On a narrow screen the list covers the messages. */
  closeIfNarrow() {
    if (!matchMedia("(min-width: 50rem)").matches) this.#open(false);
  }

  /** Lists these and no others. */
  list(conversations) {
    const ids = new Set(conversations.map(({ id }) => id));
    for (const id of [...this.#entries.keys()].filter((id) => !ids.has(id))) this.#remove(id);
    this.follow(...conversations);
  }

  /** Lists these too, as they are now. */
  follow(...conversations) {
    for (const conversation of conversations) {
      const { id } = conversation;
      if (!this.#entries.has(id)) this.#entries.set(id, new ConversationEntry(id,
        { ...this.#does, saved: () => this.#save(id) }));
      this.#entries.get(id).follow(conversation);
    }
    this.#arrange();
  }

  /** Lists one no more. */
  drop(id) {
    this.#remove(id);
    this.#arrange();
  }

  /** Tells the one that is shown from the others, if it is listed. */
  mark(id) {
    if (this.#shown === id) return;
    this.#shown = id;
    this.#arrange();
  }

  /** In place: the list changes while another tab answers, and must not take focus or clicks from the reader. */
  #arrange() {
    const [list, focused] = [find("conversation-list"), document.activeElement];
    const entries = [...this.#entries].sort(([, one], [, other]) => other.updated - one.updated);
    const words = find("search").value;
    let hits = 0;
    let day = "";
    for (const [index, [id, entry]] of entries.entries()) {
      if (list.children[index] !== entry.node) list.insertBefore(entry.node, list.children[index] ?? null);
      entry.mark(id === this.#shown);
      entry.node.hidden = words.trim() !== "" && !says(latest(id), words);
      if (entry.node.hidden) continue;
      hits += 1;
      day = entry.showDay(day);
    }
    // What is moved loses it.
    if (list.contains(focused)) focused.focus();
    find("no-conversations").hidden = entries.length > 0;
    find("search-box").hidden = entries.length === 0;
    find("no-hits").textContent = entries.length > 0 && hits === 0 ? t("No conversation has these words.") : "";
    find("export").disabled = entries.length === 0;
  }

  #remove(id) {
    this.#entries.get(id)?.node.remove();
    this.#entries.delete(id);
  }

  async #export() {
    this.#does.exporting();
    try {
      download(await exported(), "headgate-conversations.json", "application/json");
    } catch (error) {
      const isTooLarge = error instanceof RangeError;
      toast(t("Nothing was exported: {reason}.",
        { reason: isTooLarge ? t("this is more than fits into one file") : error.message }));
    }
  }

  #save(id) {
    this.#does.exporting();
    const conversation = latest(id);
    if (conversation !== null) download(markdownOf(conversation), fileName(conversation.title), "text/markdown");
  }

  async #take(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const { added, known } = await importFile(file);
      this.follow(...added);
      const there = known === 0 ? "" : ` ${t(known === 1 ? "1 conversation was here already."
        : "{count} conversations were here already.", { count: known })}`;
      const count = added.length;
      toast(t(count === 1 ? "1 conversation imported." : "{count} conversations imported.", { count }) + there);
    } catch (error) {
      toast(error.message);
    }
    // The same file may be chosen again.
    input.value = "";
  }

  #open(isOpen) {
    find("conversations").hidden = !isOpen;
    find("toggle-conversations").setAttribute("aria-expanded", isOpen);
  }
}
return { Sidebar };
})();
const module_clipboard = (() => {
// Copies a text, and says so on the button that was pressed.

const { icon } = module_icons;
const { t } = module_words;

/** `shown` is selected if the browser denies the page the clipboard. */
async function copy(text, button, shown) {
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers deny it to pages that came without TLS, except over loopback.
    const node = shown();
    if (node.select) node.select();
    else getSelection().selectAllChildren(node);
    said = "Selected";
  }
  const before = [...button.childNodes];
  const { ariaLabel } = button;
  // A button with an icon has its name as a label.
  if (ariaLabel === null) button.textContent = t(said);
  else {
    button.ariaLabel = t(said);
    button.replaceChildren(icon("check"));
  }
  clearTimeout(button.copying?.timer);
  button.copying ??= { before, ariaLabel };
  button.copying.timer = setTimeout(() => {
    button.replaceChildren(...button.copying.before);
    button.ariaLabel = button.copying.ariaLabel;
    delete button.copying;
  }, 2000);
}
return { copy };
})();
const module_highlighting = (() => {
// Code in colours. The library gives markup, of which only its few kinds of marks are read; every word of the code
// becomes a text node. Without the library, or for a language that it does not know, code is plain text.

const { element } = module_dom;

/** Characters that take the library a tenth of a second; growing code is highlighted again each time. */
const longestCode = 15_000;
const marks = /<span class="([\w -]*)">|(<\/span>)|([^<&]+)|&(amp|lt|gt|quot|#x27);/g;
const characters = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The nodes of a piece of code. */
function highlighted(code, language) {
  const name = language.toLowerCase();
  if (code.length > longestCode || !globalThis.hljs?.getLanguage(name)) return [code];
  try {
    const nodes = nodesOf(globalThis.hljs.highlight(name, code, true).value);
    // Whatever the library makes of it, it is the same code.
    return nodes.map((node) => node.textContent).join("") === code ? nodes : [code];
  } catch {
    return [code];
  }
}

function nodesOf(markup) {
  const root = document.createDocumentFragment();
  let at = root;
  for (const [, kind, end, text, character] of markup.matchAll(marks)) {
    if (kind !== undefined) {
      const node = element("span", { class: kind });
      at.append(node);
      at = node;
    } else if (end !== undefined) at = at.parentNode ?? root;
    else at.append(text ?? characters[character]);
  }
  root.normalize();
  return [...root.childNodes];
}
return { highlighted };
})();
const module_math_letters = (() => {
// Letters of formulas in other styles: browsers want the characters that Unicode has for them.

/** Where the capital and the small letters of a variant begin, and its digits; browsers know no such attribute. */
const variants = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce], italic: [0x1d434, 0x1d44e], "bold-italic": [0x1d468, 0x1d482],
  script: [0x1d49c, 0x1d4b6], "bold-script": [0x1d4d0, 0x1d4ea], fraktur: [0x1d504, 0x1d51e],
  "double-struck": [0x1d538, 0x1d552, 0x1d7d8], "bold-fraktur": [0x1d56c, 0x1d586],
  "sans-serif": [0x1d5a0, 0x1d5ba, 0x1d7e2],
  "bold-sans-serif": [0x1d5d4, 0x1d5ee, 0x1d7ec], monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};
/** Those that Unicode had before it had the others. */
const older = { "double-struck": { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" }, italic: { h: "ℎ" } };

/** The text of a token of a formula in its variant; null for what has none. */
function letters({ type, attributes: own = {}, children = [] }) {
  const { mathvariant } = own;
  if (!["mi", "mn", "mo", "mtext"].includes(type) || mathvariant === undefined) return null;
  const text = children.map((child) => child.text ?? "").join("");
  if (mathvariant === "normal") return text;
  const [capital, small, digit] = variants[mathvariant] ?? [];
  if (capital === undefined) return null;
  const styled = [...text].map((one) => older[mathvariant]?.[one]
    ?? (/[A-Z]/.test(one) ? String.fromCodePoint(capital + one.charCodeAt(0) - 65)
      : /[a-z]/.test(one) ? String.fromCodePoint(small + one.charCodeAt(0) - 97)
        : /\d/.test(one) && digit !== undefined ? String.fromCodePoint(digit + Number(one)) : one));
  return styled.join("");
}
return { letters };
})();
const module_math = (() => {
// Formulas as MathML. The library only makes a tree of them: elements and attributes are those of this list, and every
// word enters the page as a text node. Without the library, or where it understands nothing, a formula is its source.

const { element, formula } = module_dom;
const { letters } = module_math_letters;

const elements = new Set(`math mrow mi mn mo ms mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot
  mtable mtr mtd mpadded mphantom menclose mstyle`.split(/\s+/));
const attributes = new Set(`display stretchy fence separator lspace rspace minsize maxsize accent accentunder
  displaystyle scriptlevel width height depth voffset linethickness notation mathcolor movablelimits largeop symmetric
  form`.split(/\s+/));
const options = {
  output: "mathml", throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 500,
  // The library would draw it by an inline style.
  macros: { "\\pmb": "\\boldsymbol{#1}" },
};
const deepest = 200;

/** The node of a formula. */
function mathNode({ text, raw, isDisplay }) {
  try {
    // It adds to the macros what a formula defines: that holds for this formula alone.
    const own = { ...options, macros: { ...options.macros }, displayMode: isDisplay };
    const tree = globalThis.katex?.__renderToDomTree(text, own);
    const math = tree && find(tree, "math");
    if (math) return made(math, 0);
  } catch {
    // Nothing that it knows: shown as it was written.
  }
  return element("span", { class: "plain source" }, raw);
}

function find(node, type) {
  if (node.type === type) return node;
  for (const child of node.children ?? []) {
    const found = find(child, type);
    if (found) return found;
  }
  return null;
}

function made(node, depth) {
  if (depth > deepest) throw new Error("too deep");
  const children = () => (node.children ?? []).map((child) => made(child, depth + 1));
  if (typeof node.text === "string") return document.createTextNode(node.text);
  if (node.type === "semantics") return made(node.children[0], depth + 1);
  // A space that the library has no element for.
  if (node.type === undefined && typeof node.width === "number") {
    return node.character ? document.createTextNode(node.character) : formula("mspace", { width: `${node.width}em` });
  }
  if (node.type === undefined) return fragment(children());
  if (!elements.has(node.type)) return formula("mrow", {}, ...children());
  const kept = Object.fromEntries(Object.entries(node.attributes ?? {}).filter(([name]) => attributes.has(name)));
  if (node.type === "mtable") return table(node, kept, depth);
  const text = letters(node);
  if (text !== null) return formula(node.type, { ...kept, mathvariant: "normal" }, text);
  return formula(node.type, kept, ...children());
}

/** Browsers align columns by their cells. */
function table(node, kept, depth) {
  const sides = (node.attributes?.columnalign ?? "").split(" ");
  const rows = node.children.map((row) => formula("mtr", {}, ...(row.children ?? []).map((cell, column) =>
    formula("mtd", { class: ["left", "right"].includes(sides[column]) ? sides[column] : null },
      ...(cell.children ?? []).map((child) => made(child, depth + 3))))));
  return formula("mtable", kept, ...rows);
}

function fragment(nodes) {
  const made = document.createDocumentFragment();
  made.append(...nodes);
  return made;
}
return { mathNode };
})();
const module_math_markdown = (() => {
// Formulas within Markdown: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`, taken out before Markdown makes something of them.

// A formula has at most 4,000 characters, so that an opening sign alone is not searched to the end of the text.
/** As pandoc has it: no space within the dollars, no digit behind them, so that prices stay prices. */
const inline = /^(?:\\\(([^]{1,4000}?)\\\)|\$\$([^$]{1,4000}?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n`]){1,4000}?)(?<![\s\\])\$(?!\d))/;
const display = /^ {0,3}(?:\$\$([^]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;

/** For the library that reads Markdown. */
const mathExtensions = [
  {
    name: "displayMath",
    level: "block",
    start: (text) => indexOf(text, /(^|\n) {0,3}(\$\$|\\\[)/),
    tokenizer: (text) => token("displayMath", display.exec(text)),
  },
  {
    name: "inlineMath",
    level: "inline",
    start: (text) => indexOf(text, /\$|\\\(|\\\[/),
    tokenizer: (text) => token("inlineMath", inline.exec(text) ?? /^\\\[([^]{1,4000}?)\\\]/.exec(text)),
  },
];

function indexOf(text, sign) {
  const index = text.search(sign);
  return index < 0 ? undefined : index;
}

function token(type, found) {
  if (found === null) return undefined;
  return { type, raw: found[0], text: found.slice(1).find((part) => part !== undefined).trim(),
    isDisplay: /^\s*(\$\$|\\\[)/.test(found[0]) };
}
return { mathExtensions };
})();
const module_markdown_pieces = (() => {
// Splits Markdown into pieces that can be parsed separately: an answer grows at its end, so only its last piece is
// parsed again. The library needs seconds for some texts of a few thousand characters; those are recognised here.

const { hasLongMarks, whole } = module_dom;

/** Characters after which a piece ends at the next line that can begin a block. */
const longPiece = 8000;
/** The longest piece that is parsed, in characters; code may be longer. */
const longestPiece = 20_000;
/** Limits for one paragraph, list item or heading: parsing time grows with the square of these counts. */
const mostEmphasis = 150;
const mostSigns = 1000;
/** The most cells of a table. */
const mostCells = 2000;
/** Levels of lists and quotes. */
const deepestNesting = 50;
const deepestIndentation = 100;
/** Characters of one plain part; while it grows, only the last part is laid out again. */
const longestPlainPart = 4000;

const fenceOpening = /^\s*(`{3,}|~{3,})/;
const item = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const heading = /^#{1,6}\s/;

/** The pieces of a text from `start` on, where a piece begins. */
function pieces(text, start) {
  const found = [];
  let begin = start;
  let fence = null;
  let isAfterBlank = false;
  const cut = (at) => {
    if (at > begin) found.push(text.slice(begin, at));
    begin = at;
  };
  for (const { line, at, end } of lines(text, start)) {
    if (fence !== null) {
      if (!closes(line, fence)) continue;
      // A block of code outside any list is a piece of its own.
      if (fence.isOuter) cut(end);
      fence = null;
      continue;
    }
    if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    }
    const isLong = at - begin > longPiece;
    const isOuter = !/^\s/.test(line);
    const beginsBlock = heading.test(line) || (isAfterBlank && !item.test(line)) || (isLong && line[0] !== "|");
    if (isOuter && beginsBlock) cut(at);
    isAfterBlank = false;
    const opening = fenceOpening.exec(line);
    if (opening !== null) {
      if (isOuter) cut(at);
      fence = { mark: opening[1], isOuter };
    }
  }
  cut(text.length);
  return found;
}

function* lines(text, start) {
  for (let at = start; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    yield { line: text.slice(at, newline < 0 ? end : newline), at, end };
    at = end;
  }
}

function closes(line, { mark }) {
  const text = line.trim();
  return text.length >= mark.length && text === mark[0].repeat(text.length);
}

/** Whether parsing a piece might take too long. */
function isTooMuch(piece) {
  if (piece.length > longestPiece) return !fenceOpening.test(piece);
  if (hasLongMarks(piece)) return true;
  let emphasis = 0;
  let signs = 0;
  let cells = 0;
  let fence = null;
  for (const { line } of lines(piece, 0)) {
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
      continue;
    }
    const opening = fenceOpening.exec(line);
    if (opening !== null) {
      fence = { mark: opening[1] };
      continue;
    }
    const indented = line.trimStart();
    const nesting = /^[\s>*+\-\d.)]*/.exec(line)[0].match(/>|[-*+.)]\s/g)?.length ?? 0;
    if (nesting > deepestNesting || line.length - indented.length > deepestIndentation) return true;
    if (indented === "" || item.test(indented) || /^[#|>]/.test(indented)) [emphasis, signs] = [0, 0];
    // Underscores within a name, such as snake_case, are no emphasis.
    const inner = line.match(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu)?.length ?? 0;
    emphasis += (line.match(/\*+|_+|~+/g)?.length ?? 0) - inner;
    signs += (line.match(/[`[<!$\\&@]|:\/\//g)?.length ?? 0) + inner;
    cells += line.match(/\|/g)?.length ?? 0;
    if (emphasis > mostEmphasis || signs > mostSigns || cells > mostCells) return true;
  }
  return false;
}

/** Splits a text that is shown as it is, at line ends if possible. */
function plainParts(text) {
  const parts = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + longestPlainPart);
    if (end < text.length) end = text.lastIndexOf("\n", end - 1) + 1 || end;
    if (end <= at) end = whole(text, at + longestPlainPart);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
return { pieces, isTooMuch, plainParts };
})();
const module_markdown = (() => {
// Markdown as elements. The library only reads it into tokens: every word of it enters the page as a text node, links
// lead only to the web and to mail, and pictures are links. Without the library it is plain text.

const { copy } = module_clipboard;
const { element, plainNodes } = module_dom;
const { highlighted } = module_highlighting;
const { mathNode } = module_math;
const { mathExtensions } = module_math_markdown;
const { isTooMuch, pieces, plainParts } = module_markdown_pieces;
const { t } = module_words;

globalThis.marked?.setOptions({ gfm: true, mangle: false, silent: true });
globalThis.marked?.use({ extensions: mathExtensions });

/** The time after which layout yields to the browser, in milliseconds. */
const slice = 12;
/** The most characters that one task lays out, since the browser then draws them all at once. */
const sliceLength = 16_000;
/** When the current task has to yield; null if none runs. */
let deadline = null;
/** Characters that the current task may still lay out. */
let room = 0;
/** Places with text that is not laid out yet. */
const waiting = new Set();

/**
 * Shows a text in `place`; a long one little by little. Blocks that are there from the last time, and have not changed,
 * stay as they are. `isLive`: more is to come.
 */
function showMarkdown(place, text, isLive = false) {
  place.blocks ??= [];
  place.pieces = readPieces(place, text, isLive);
  waiting.delete(place);
  layOut(place);
}

/** Continues the layout of a place until the task has to yield. */
function layOut(place) {
  let index = 0;
  for (const piece of place.pieces) {
    piece.tokens ??= read(piece, place.definitions);
    for (const token of piece.tokens) {
      if (place.blocks[index]?.raw !== token.raw) {
        truncate(place, index);
        if (isLate()) return waiting.add(place);
        room -= token.raw.length;
        place.append(block(token));
        place.blocks.push(token);
      }
      index += 1;
    }
  }
  truncate(place, index);
}

function truncate(place, count) {
  place.blocks.length = Math.min(place.blocks.length, count);
  while (place.childNodes.length > count) place.lastChild.remove();
}

function isLate() {
  const now = performance.now();
  if (deadline === null) {
    deadline = now + slice;
    room = sliceLength;
    setTimeout(goOn);
  }
  return now > deadline || room <= 0;
}

function goOn() {
  deadline = null;
  for (const place of [...waiting]) {
    waiting.delete(place);
    layOut(place);
    if (waiting.has(place)) return;
  }
}

/** The pieces of a text; those that have not changed keep their tokens. */
function readPieces(place, text, isLive) {
  const known = place.pieces ?? [];
  let length = 0;
  let count = 0;
  // The last one may have grown.
  while (count < known.length - 1 && text.startsWith(known[count].raw, length)) length += known[count++].raw.length;
  const raws = globalThis.marked === undefined ? [text.slice(length)] : pieces(text, length);
  const rest = raws.map((raw, index) => known[count + index]?.raw === raw ? known[count + index] : { raw });
  const all = [...known.slice(0, count), ...rest];
  followDefinitions(place, isLive ? all.slice(0, -1) : all, all);
  return all;
}

/** Link reference definitions apply to the whole text, wherever they stand. */
function followDefinitions(place, settled, all) {
  const definitions = settled.map(({ raw }) => raw).filter((raw) => definition.test(raw) && !isTooMuch(raw)).join("\n\n");
  if (definitions === (place.definitions ?? "")) return;
  place.definitions = definitions;
  for (const piece of all) if (piece.raw.includes("[")) delete piece.tokens;
  truncate(place, 0);
}

const definition = /^ {0,3}\[[^\]\n]+\]:/m;

function read({ raw }, definitions = "") {
  try {
    if (globalThis.marked !== undefined && !isTooMuch(raw)) return tokens(raw, definitions);
  } catch {
    // Too deep for the library, such as a thousand nested quotes.
  }
  return plainParts(raw).filter((part) => part.trim() !== "").map((part) => ({ type: "plain", raw: part }));
}

function tokens(raw, definitions) {
  // Lexers share a tokenizer, so the first has to finish before the second is created.
  const known = new globalThis.marked.Lexer();
  if (definitions !== "") known.lex(definitions);
  const lexer = new globalThis.marked.Lexer();
  Object.assign(lexer.tokens.links, known.tokens.links);
  // An unclosed code block is recognised only if its last line has a line end.
  const found = lexer.lex(raw.endsWith("\n") ? raw : `${raw}\n`);
  return found.filter((token) => token.type !== "space" && token.type !== "def");
}

/** Deeper than anybody reads, and less deep than a browser's stack. */
const deepest = 24;
let depth = 0;

function block(token) {
  if (depth >= deepest) return plain(token.raw);
  depth += 1;
  const made = blockElement(token);
  depth -= 1;
  return made;
}

function blockElement(token) {
  switch (token.type) {
    case "heading": return element(`h${Math.min(token.depth + 2, 6)}`, {}, ...inlines(token.tokens));
    case "paragraph": return element("p", {}, ...inlines(token.tokens));
    case "text": return element("div", {}, ...inlines(token.tokens ?? [token]));
    case "code": return codeBlock(token.text, token.lang);
    case "blockquote": return element("blockquote", {}, ...blocks(token.tokens));
    case "list": return list(token);
    case "table": return table(token);
    case "displayMath": return displayed(mathNode(token));
    case "hr": return element("hr");
    default: return plain(token.raw);
  }
}

const plain = (text) => element("p", { class: "plain" }, ...plainNodes(text.trimEnd()));

const displayed = (node) =>
  element("div", { class: "formula", tabindex: 0, role: "group", "aria-label": "Formula" }, node);

const blocks = (tokens) => tokens.filter((token) => token.type !== "space" && token.type !== "def").map(block);

function codeBlock(code, language) {
  const name = decoded(language ?? "").split(/\s/)[0].slice(0, 32);
  const button = element("button", { type: "button", click: () => copy(code, button, shown) },
    t("Copy"));
  const shown = () => button.closest("figure").querySelector("code");
  return element("figure", { class: "code" },
    element("figcaption", {}, element("span", {}, name || "code"), button),
    element("pre", { tabindex: 0, "aria-label": name ? `Code, ${name}` : "Code", role: "group" },
      element("code", {}, ...highlighted(code, name))));
}

function list(token) {
  const start = token.ordered && Number.isInteger(token.start) && token.start !== 1 ? token.start : null;
  const items = token.items.map((item) => element("li", { class: item.task ? "task" : null },
    item.task ? checkbox(item.checked) : null, ...blocks(item.tokens)));
  return element(token.ordered ? "ol" : "ul", { start }, ...items);
}

const checkbox = (checked) => element("input", { type: "checkbox", disabled: true, checked, "aria-label": "Task" });

function table(token) {
  const cell = (name) => (content, column) =>
    element(name, { class: alignments[token.align[column]] ?? null }, ...inlines(content.tokens));
  return element("div", { class: "table", tabindex: 0, role: "group", "aria-label": "Table" },
    element("table", {},
      element("thead", {}, element("tr", {}, ...token.header.map(cell("th")))),
      element("tbody", {}, ...token.rows.map((row) => element("tr", {}, ...row.map(cell("td")))))));
}

const alignments = { left: "left", center: "center", right: "right" };

const inlines = (tokens) => (tokens ?? []).map(inline);

function inline(token) {
  if (depth >= deepest) return token.raw;
  depth += 1;
  const made = inlineNode(token);
  depth -= 1;
  return made;
}

function inlineNode(token) {
  switch (token.type) {
    case "strong": return element("strong", {}, ...inlines(token.tokens));
    case "em": return element("em", {}, ...inlines(token.tokens));
    case "del": return element("del", {}, ...inlines(token.tokens));
    case "codespan": return element("code", {}, decoded(token.text));
    case "inlineMath": return mathNode(token);
    case "br": return element("br");
    case "link": return link(token.href, inlines(token.tokens));
    case "image": return link(token.href, [decoded(token.text) || "Picture"]);
    case "text":
    case "escape": return token.tokens ? element("span", {}, ...inlines(token.tokens)) : decoded(token.text);
    default: return token.raw;
  }
}

function link(address, children) {
  const href = webAddress(decoded(address ?? ""));
  if (href === null) return element("span", {}, ...children);
  return element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

/** Null for what leads nowhere or does something else: a script, a file, a place on this page. */
function webAddress(text) {
  try {
    const url = new URL(text);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const names = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", ndash: "\u2013", mdash: "\u2014", hellip: "\u2026",
};

/** The library escapes for HTML, and Markdown may hold character references. */
function decoded(text) {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return Object.hasOwn(names, name) ? names[name] : whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number.parseInt(decimal, 10);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : "\ufffd";
  });
}
return { showMarkdown };
})();
const module_message_figures = (() => {
// What an answer took: tokens, money and time, in words behind one sign.

const { element } = module_dom;
const { dollars, whole } = module_figures;
const { icon } = module_icons;
const { priceOf } = module_model_facts;
const { listedModel } = module_models;
const { t } = module_words;

/** Null where nothing is known. */
function figuresOf(message) {
  const lines = [sum(message), details(message)].filter((line) => line !== "");
  if (lines.length === 0) return null;
  return element("button", { type: "button", class: "figures", "aria-label": lines.join(". ") }, icon("info"),
    element("span", { class: "tip", "aria-hidden": "true" }, ...lines.map((line) => element("span", {}, line))));
}

/** Such as "204 tokens, ≈ $0.0021, 2.4 s". */
function sum({ model, usage, timing }) {
  const parts = [];
  if (usage?.completion != null) parts.push(t("{count} tokens", { count: whole(usage.completion) }));
  const price = priceOf(listedModel(model) ?? {});
  if (price !== null && usage?.completion != null && usage.prompt !== null) {
    // By the list's price: what a cache saved is not in it.
    const cost = usage.prompt * price.prompt + usage.completion * price.completion;
    parts.push(cost === 0 ? dollars(0) : `≈ ${dollars(cost)}`);
  }
  if (timing?.total != null) parts.push(seconds(timing.total));
  return parts.join(", ");
}

/** Such as "9 prompt tokens, first after 0.21 s, 38.5 tokens a second". */
function details({ usage, timing }) {
  const parts = [];
  const tokens = usage?.completion ?? null;
  if (usage?.prompt != null) parts.push(t("{count} prompt tokens", { count: whole(usage.prompt) }));
  if (timing?.first != null) parts.push(t("first after {time}", { time: seconds(timing.first) }));
  // What came at once has no speed.
  if (tokens > 1 && timing?.first != null && timing.total - timing.first > 50) {
    const speed = (tokens - 1) / ((timing.total - timing.first) / 1000);
    parts.push(t("{count} tokens a second", { count: speed.toFixed(1) }));
  }
  return parts.join(", ");
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 1000 ? 2 : 1)} s`;
return { figuresOf };
})();
const module_message_actions = (() => {
// The row of buttons below a message: what can be done with it, and the way to its other versions.

const { copy } = module_clipboard;
const { element } = module_dom;
const { icon } = module_icons;
const { figuresOf } = module_message_figures;
const { listedModels } = module_models;
const { t } = module_words;

class MessageActions {
  #message;
  #does;
  /** What is shown, so that nothing is made anew, under the reader's finger, that stays the same. */
  #shown = "";

  /**
   * `does` has what happens: `edit(message)`, `again(message, model)`, `goOn(message)`, `choose(message)`. None of them
   * is called with a message that is not shown.
   */
  constructor(message, does) {
    this.#message = message;
    this.#does = does;
    this.node = element("div", { class: "actions", role: "group", "aria-label": t("Message") });
  }

  /** `spot` is where the message stands, as MessageView has it. */
  show({ versions, isTail, isBeside }, isLive) {
    const message = this.#message;
    const models = isTail ? listedModels() : [];
    const shown = JSON.stringify([isLive, isTail, isBeside, versions.map(({ id }) => id), models,
      canGoOn(message), message.content === "", message.error !== undefined]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    const buttons = isLive ? [] : this.#buttons(isTail, isBeside, models).filter((one) => one !== null);
    this.node.replaceChildren(...this.#versions(versions), ...buttons);
    if (focused !== null) {
      [...this.node.querySelectorAll("button:not(:disabled)")].find((one) => one.ariaLabel === focused)?.focus();
    }
  }

  #versions(versions) {
    if (versions.length < 2) return [];
    const index = versions.findIndex(({ id }) => id === this.#message.id);
    const step = (sign, name, other) => element("button", {
      type: "button", class: "act", "aria-label": t(name), title: t(name), disabled: other === undefined,
      click: () => this.#does.choose(other),
    }, icon(sign));
    return [element("span", { class: "versions" },
      step("left", "Earlier version", versions[index - 1]),
      element("span", { "aria-label": t("Version {number} of {count}", { number: index + 1, count: versions.length }),
        role: "img" },
        `${index + 1}/${versions.length}`),
      step("right", "Later version", versions[index + 1]))];
  }

  #buttons(isTail, isBeside, models) {
    const [message, does] = [this.#message, this.#does];
    const button = (sign, text, click) => element("button", { type: "button", class: "act", "aria-label": t(text),
      title: t(text), click }, icon(sign));
    const copying = button("copy", "Copy", () =>
      copy(message.content, copying, () => this.node.parentElement.querySelector(".text")));
    // It works while another answer comes, too.
    copying.className = "";
    const buttons = message.content === "" ? [] : [copying];
    if (message.role === "user") return [...buttons, button("edit", "Edit", () => does.edit(message))];
    const figures = figuresOf(message);
    if (isBeside) {
      return [...buttons, element("button", { type: "button", class: "act worded", click: () => does.choose(message) },
        t("Continue with this one")), figures];
    }
    if (isTail && canGoOn(message)) buttons.push(button("forward", "Continue", () => does.goOn(message)));
    // A failed answer at the end has its way to try again beside its error.
    if (!isTail || message.error === undefined) {
      buttons.push(button("again", "Regenerate", () => does.again(message, message.model)));
    }
    if (models.length > 1) buttons.push(this.#otherModels(models));
    return [...buttons, figures];
  }

  #otherModels(models) {
    const select = element("select", {
      class: "act", "aria-label": t("Regenerate with…"), title: t("Regenerate with another model"),
      change: () => {
        this.#does.again(this.#message, select.value);
        select.value = "";
      },
    }, element("option", { value: "" }, t("With…")), ...models.map((name) => element("option", { value: name }, name)));
    return select;
  }
}

/** Whether more of an answer can be asked for: one that was cut, stopped or broken off, with what has come of it. */
const canGoOn = ({ content, finish, stopped, error, toolCalls }) => content.trim() !== "" && toolCalls === undefined
  && (finish === "length" || stopped === true || error !== undefined);
return { MessageActions };
})();
const module_message_ending = (() => {
// What stands below an answer that is over: how it ended.

const { element } = module_dom;
const { icon } = module_icons;
const { t } = module_words;

/** Ends that are none of the model's own. */
const endings = new Map([
  ["length", "Cut off: the limit of tokens was reached."],
  ["content_filter", "Cut off: a filter of the provider stopped the answer."],
  ["refusal", "The model refused to go on."],
]);

/** The nodes of it. `does.retry` and `does.dropOldest` are called when the reader wants a failed answer again. */
function endingOf(message, does) {
  const nodes = [];
  if (message.error) nodes.push(errorOf(message, does));
  else if (message.stopped) {
    const words = message.content === "" && !message.refusal ? "Stopped before the first word." : "Stopped.";
    nodes.push(element("p", { class: "faint" }, t(words)));
  }
  if (endings.has(message.finish)) nodes.push(element("p", { class: "cut" }, t(endings.get(message.finish))));
  if (message.refusal) nodes.push(element("p", { class: "faint" }, t("The model refused.")));
  return nodes;
}

function errorOf(message, does) {
  const { message: words, retryAfter, code } = message.error;
  const wait = retryAfter === null ? "" : ` ${t("Try again in {count} s.", { count: retryAfter })}`;
  const retry = element("button", { type: "button", click: () => does.retry(message) },
    icon("again"), t("Try again"));
  if (code !== "too_long") {
    return element("div", { class: "error", role: "alert" }, element("p", {}, words + wait), retry);
  }
  const drop = element("button", { type: "button", click: () => does.dropOldest(message) },
    t("Drop the oldest and try again"));
  return element("div", { class: "error", role: "alert" },
    element("p", {}, element("strong", {}, t("Too long:")), " ",
      t("the conversation is longer than the model can read.")),
    element("p", { class: "words" }, words + wait), drop, " ", retry);
}
return { endingOf };
})();
const module_message_view = (() => {
// A message as the reader sees it.

const { attachmentList } = module_attachment_view;
const { element, plainNodes } = module_dom;
const { showMarkdown } = module_markdown;
const { MessageActions } = module_message_actions;
const { endingOf } = module_message_ending;
const { t } = module_words;

/** How long an answer of another tab may go unkept before it counts as stopped, in milliseconds. */
const longestSilence = 15_000;

class MessageView {
  #message;
  /** That is shown. */
  #revision;
  #timer;
  #does;
  #actions;
  #reasoning = null;
  #refusal = null;
  #calls = [];
  #body;
  #notes;
  #isLive = false;
  #spot = { versions: [], isTail: false, isBeside: false, isOut: false };

  /** `does` is what can be done with a message, by the names that MessageActions has. */
  constructor(message, does) {
    this.#message = message;
    this.#does = does;
    const isUser = message.role === "user";
    const author = isUser ? t("You") : message.model || t("Assistant");
    this.#body = element("div", { class: isUser ? "text plain" : "text" });
    this.#notes = element("div", { class: "notes" });
    this.#actions = new MessageActions(message, does);
    const label = isUser ? author : t("Answer of {author}", { author });
    this.bubble = element("article", { class: `bubble ${message.role}`, "aria-label": label },
      element("p", { class: "author", "aria-hidden": "true" }, author), this.#body,
      message.attachments ? attachmentList(message.attachments) : null, this.#notes, this.#actions.node);
    this.node = element("li", {}, this.bubble);
    this.#showKept();
  }

  /** Follows a message that another tab fills. */
  follow() {
    if (this.#message.revision !== this.#revision) this.#showKept();
  }

  /** Where it stands: `{versions, isTail, isBeside, isOut}`, the last of which says that it is not sent any more. */
  place(spot) {
    this.#spot = spot;
    this.node.classList.toggle("beside", this.#message.beside !== undefined && spot.versions.length > 1);
    this.node.classList.toggle("other", spot.isBeside);
    this.node.classList.toggle("tail", spot.isTail);
    this.node.classList.toggle("out", spot.isOut);
    this.#actions.show(spot, this.#isLive);
  }

  /** Another tab that fills it may be gone without a word. */
  #showKept() {
    const rest = (this.#message.growing ?? 0) + longestSilence - Date.now();
    this.update(rest > 0);
    clearTimeout(this.#timer);
    // A clock may have been set back.
    if (rest > 0) this.#timer = setTimeout(() => this.update(false), Math.min(rest, longestSilence));
  }

  /** Follows the message. `isLive`: more is to come. */
  update(isLive) {
    const message = this.#message;
    this.#revision = message.revision;
    this.#isLive = isLive;
    if (message.role === "user") this.#body.replaceChildren(...plainNodes(message.content));
    else this.#showAnswer();
    this.#actions.show(this.#spot, isLive);
  }

  #showAnswer() {
    const isLive = this.#isLive;
    this.#showReasoning();
    this.#showCalls();
    showMarkdown(this.#body, this.#message.content, isLive);
    this.#showRefusal();
    this.bubble.setAttribute("aria-busy", isLive);
    this.bubble.classList.toggle("live", isLive);
    this.#notes.replaceChildren(...(isLive ? [] : endingOf(this.#message, this.#does)));
  }

  #showReasoning() {
    if (!this.#message.reasoning) return;
    if (this.#reasoning === null) {
      this.#reasoning = element("p", { class: "plain" });
      const summary = element("summary", {}, t("Reasoning"));
      this.#body.before(element("details", { class: "reasoning" }, summary, this.#reasoning));
    }
    this.#reasoning.replaceChildren(...plainNodes(this.#message.reasoning));
  }

  #showRefusal() {
    if (!this.#message.refusal) return;
    if (this.#refusal === null) {
      this.#refusal = element("p", { class: "plain refusal" });
      this.#body.after(this.#refusal);
    }
    this.#refusal.replaceChildren(...plainNodes(this.#message.refusal));
  }

  #showCalls() {
    for (const [index, call] of (this.#message.toolCalls ?? []).entries()) {
      if (this.#calls.length === index) {
        const name = element("code");
        const text = element("pre", { class: "plain", tabindex: 0, "aria-label": t("Arguments"), role: "group" });
        this.#calls.push({ name, text });
        this.#notes.before(element("details", { class: "tool" },
          element("summary", {}, t("Tool call:"), " ", name), text));
      }
      this.#calls[index].name.textContent = call.name;
      this.#calls[index].text.textContent = call.arguments;
    }
  }
}
return { MessageView };
})();
const module_thread = (() => {
// The conversation that is shown: its messages on the page, and changes in what it is held with.

const { choose, shown } = module_branches;
const { newConversation } = module_conversation;
const { find } = module_dom;
const { keep } = module_library;
const { MessageView } = module_message_view;

/** How long the reader may go on with a change before it is kept, in milliseconds. */
const changeInterval = 500;

class Thread {
  conversation = newConversation();
  #list = find("messages");
  /** What shows the messages, by their ids. */
  #views = new Map();
  /** The views of answers under way, by their messages: these show what comes, and nothing else does. */
  #held = new Map();
  #does;
  #followed;
  /** The timer of a change that is not kept yet. */
  #changing = null;

  /** `does` is what can be done with messages; `followed` is called when other things may have changed, too. */
  constructor(does, followed) {
    this.#does = { ...does, choose: (message) => this.#choose(message) };
    this.#followed = followed;
  }

  present(conversation) {
    this.keepChange();
    this.conversation = conversation;
    this.#views.clear();
    this.#list.replaceChildren();
    this.follow();
  }

  /** Shows what the conversation has become, perhaps by another tab. */
  follow() {
    const rows = shown(this.conversation);
    const ids = new Set(rows.map(({ message }) => message.id));
    for (const [id, view] of this.#views) {
      if (ids.has(id)) continue;
      view.node.remove();
      this.#views.delete(id);
    }
    const start = rows.findIndex(({ message }) => message.id === this.conversation.start);
    for (const [index, { message, ...spot }] of rows.entries()) {
      const view = this.#viewOf(message);
      view.place({ ...spot, isOut: index < start });
      const there = this.#list.children[index] ?? null;
      if (there !== view.node) this.#list.insertBefore(view.node, there);
    }
    find("left-out").hidden = start <= 0;
    find("greeting").hidden = rows.length > 0;
    this.#followed();
  }

  #viewOf(message) {
    const known = this.#views.get(message.id);
    if (known !== undefined) {
      if (!this.#held.has(message)) known.follow();
      return known;
    }
    const view = this.#held.get(message) ?? new MessageView(message, this.#does);
    this.#views.set(message.id, view);
    return view;
  }

  /** The view of an answer under way, until it is released. */
  hold(message) {
    const view = this.#viewOf(message);
    this.#held.set(message, view);
    return view;
  }

  release(message) {
    this.#held.delete(message);
  }

  #choose(message) {
    choose(this.conversation, message);
    keep(this.conversation);
    this.follow();
  }

  /** Changes what the conversation is held with. One without messages is not kept. */
  change(values) {
    // A clock may be set back.
    Object.assign(this.conversation, values, { changed: Math.max(Date.now(), this.conversation.changed + 1) });
    if (this.conversation.messages.length === 0) return;
    clearTimeout(this.#changing);
    this.#changing = setTimeout(() => this.keepChange(), changeInterval);
  }

  keepChange() {
    if (this.#changing === null) return;
    this.dropChange();
    keep(this.conversation);
  }

  dropChange() {
    clearTimeout(this.#changing);
    this.#changing = null;
  }
}
return { Thread };
})();
const module_chat = (() => {
// The chat page: what the reader does, and what follows from it.

const { onKey } = module_access;
const { Asking } = module_asking;
const { sweep } = module_attachment_store;
const { Composer } = module_composer;
const { showContext } = module_context_meter;
const { merge, newConversation, titleOf } = module_conversation;
const { element, find } = module_dom;
const { Follower } = module_follow;
const { conversations, forget, keep, latest, onOtherTab } = module_library;
const { listedModels, ModelPicker } = module_models;
const { startPage } = module_rail;
const { SettingsPanel } = module_settings_panel;
const { Sidebar } = module_sidebar;
const { Thread } = module_thread;
const { toast } = module_toast;
const { t } = module_words;

const send = find("send");
const follower = new Follower(find("scroller"), find("to-latest"));
const picker = new ModelPicker({ chose: (model) => change({ model }), listed: followModels });
const sidebar = new Sidebar({ opened: reopen, removed: remove, renamed: rename, exporting: keepAll });
const panel = new SettingsPanel(change);
const composer = new Composer({ send: submit, changed: show });
const thread = new Thread({
  edit: (message) => composer.edit(message),
  again: (message, model) => asking.again(message, model || picker.model),
  retry: (message) => asking.retry(message, choosing()),
  goOn: (message) => asking.goOn(message),
  dropOldest: (message) => asking.dropOldest(message, choosing()),
}, show);
const asking = new Asking(thread, {
  grown: () => follower.changed(),
  began(conversation) {
    sidebar.follow(conversation);
    thread.follow();
    follower.toEnd();
    announce(t("Answering."));
  },
  ended,
  notice: toast,
});

function reopen(id) {
  const other = id === thread.conversation.id ? null : latest(id);
  if (other === null) sidebar.closeIfNarrow();
  else open(other);
}

function open(other) {
  asking.stop();
  thread.present(other);
  if (composer.isEditing) composer.clear();
  panel.closeIfNarrow();
  follower.toEnd();
  sidebar.closeIfNarrow();
  composer.focus();
}

/** What shows the conversation besides its messages. */
function show() {
  const { conversation } = thread;
  panel.show(conversation);
  if (conversation.model !== "" && conversation.model !== picker.model) picker.choose(conversation.model);
  document.title = conversation.title === "" ? t("Headgate: chat") : `${conversation.title} (Headgate)`;
  send.ariaLabel = send.title = t(asking.isBusy ? "Stop" : "Send");
  send.classList.toggle("stop", asking.isBusy);
  find("messages").classList.toggle("busy", asking.isBusy);
  sidebar.mark(conversation.id);
  follower.changed();
  showContext(conversation, picker.model, composer.text, show);
  composer.doubt(asked());
}

/** The models that answer what is sent next. */
function asked() {
  return [picker.model, find("beside").value].filter((model, index) => index === 0 || model !== "");
}

function followModels() {
  const beside = find("beside");
  const chosen = beside.value;
  beside.replaceChildren(element("option", { value: "" }, t("no other model")),
    ...listedModels().map((name) => element("option", { value: name }, name)));
  beside.value = listedModels().includes(chosen) ? chosen : "";
  thread.follow();
}

function change(values) {
  thread.change(values);
  show();
}

/** The model that is chosen now, which the conversation goes on with. */
function choosing() {
  if (thread.conversation.model !== picker.model) thread.change({ model: picker.model });
  return picker.model;
}

function keepAll() {
  thread.keepChange();
  asking.keep();
}

function startNew() {
  open(newConversation({ model: picker.model }));
}

/** Deletes a conversation, which can be taken back as long as this page is there. */
function remove(id) {
  const gone = id === thread.conversation.id ? thread.conversation : latest(id);
  drop(id);
  if (gone === null) return;
  toast(t("“{title}” was deleted.", { title: gone.title || t("Untitled") }), () => {
    keep(gone);
    sidebar.follow(gone);
    open(gone);
  });
}

function drop(id) {
  asking.abandon(id);
  if (id === thread.conversation.id) thread.dropChange();
  forget(id);
  sidebar.drop(id);
  if (id === thread.conversation.id) startNew();
}

function rename(id, title) {
  const isShown = id === thread.conversation.id;
  const conversation = isShown ? thread.conversation : latest(id);
  if (conversation === null) return;
  const changed = Math.max(Date.now(), conversation.changed + 1);
  Object.assign(conversation, { title: titleOf(title), changed });
  if (isShown) thread.dropChange();
  keep(conversation);
  sidebar.follow(conversation);
  show();
}

function submit({ isKey = false } = {}) {
  if (asking.isBusy) {
    if (!isKey) asking.stop();
    return;
  }
  if (composer.isEmpty) return;
  choosing();
  asking.submit({ ...composer.take(), models: asked() });
}

function ended({ conversation, isAbandoned, message }, wasKept) {
  if (!isAbandoned) sidebar.follow(conversation);
  thread.follow();
  if (!wasKept) toast(t("This conversation is not stored: the browser's storage is full or closed to this page."));
  const said = message.content || message.refusal || "";
  announce(message.error ? t("The answer failed.") : `${message.stopped ? `${t("Stopped.")} ` : ""}${said}`);
}

/** For screen readers: once at the start and once at the end, never word by word. */
function announce(text) {
  // Screen readers do not read hundreds of combining marks, and a browser takes seconds to draw them in one line.
  find("announcer").textContent = text.replace(/(\p{M}{100})\p{M}+/gu, "$1");
}

addEventListener("keydown", (event) => {
  // The key belongs to an input method that composes a word.
  if (event.isComposing) return;
  if (event.key === "Escape") {
    if (asking.isBusy) asking.stop();
    else if (composer.isEditing) composer.clear();
    return;
  }
  const isTyping = event.target.closest("input, textarea, select") !== null;
  const does = event.altKey && !event.ctrlKey && !event.metaKey ? shortcuts[event.code]
    : event.key === "/" && !isTyping ? () => composer.focus() : undefined;
  if (!does) return;
  event.preventDefault();
  does();
});

const shortcuts = {
  KeyN: startNew,
  KeyM: () => picker.open(),
  KeyC: () => sidebar.toggle(),
  KeyI: () => panel.openInstructions(),
};

for (const button of find("suggestions").querySelectorAll("button")) {
  button.addEventListener("click", () => composer.suggest(button.textContent));
}
find("beside").addEventListener("change", show);
find("new-chat").addEventListener("click", startNew);
find("send-all").addEventListener("click", () => {
  change({ start: "" });
  thread.follow();
});
onOtherTab({
  keeps(there) {
    sidebar.follow(there);
    if (there.id !== thread.conversation.id) return;
    // Both may have been kept at the same moment: then the first is not in the second.
    if (merge(thread.conversation, there)) keep(thread.conversation);
    thread.follow();
  },
  forgets(id) {
    const isShown = id === thread.conversation.id;
    // This tab may have kept it anew before it heard of this.
    drop(id);
    if (isShown) toast(t("The conversation was deleted in another tab."));
  },
  changed: () => sidebar.list(conversations()),
});
// What has come is kept as a stopped answer.
addEventListener("pagehide", () => {
  thread.keepChange();
  asking.leave();
});
onKey(() => {
  picker.load();
  asking.resume(open);
});

const all = conversations();
startPage();
sidebar.list(all);
if (all.length > 0) open(all[0]);
else show();
composer.focus();
picker.load();
asking.resume(open);
sweep(new Set(all.flatMap(({ messages }) => messages).flatMap(({ attachments = [] }) => attachments)
  .map(({ id }) => id)));
return {  };
})();
});

"""#),
        "docs.css": WebAsset(type: style, digest: "3c734ba960ed54a3475fce7371ef0d33", text: #"""
/* What all pages share, the routes' too: colours of both themes, and the rail that leads from page to page. */
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfbf9, #15191c);
  --raised: light-dark(#ffffff, #1e2428);
  --sunk: light-dark(#eef1f0, #101315);
  --line: light-dark(#dbe0df, #323b40);
  --edge: light-dark(#87938f, #69767c);
  --ink: light-dark(#1a2225, #e6ebec);
  --faint: light-dark(#55636a, #a3b1b7);
  --accent: light-dark(#0b5c6b, #7cd4e3);
  --on-accent: light-dark(#ffffff, #08272d);
  --own: light-dark(#e3f1f3, #17424b);
  --bad: light-dark(#a3201b, #ff9c94);
  --bad-back: light-dark(#fdecea, #3a1c1a);
  --good: light-dark(#1f6b38, #7fd49a);
  --warn: light-dark(#7a5200, #ecc06c);
  --code-word: light-dark(#7a2a8c, #dca6ec);
  --text: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans CJK JP",
    "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding-left: 4.75rem; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { display: block; width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; stroke-linejoin: round; }
[data-icon] { display: inline-block; width: 1.25em; height: 1.25em; flex: none; }
.dark-mode .if-light, :root:not(.dark-mode) .if-dark { display: none; }

.rail { position: fixed; z-index: 4; inset: 0 auto 0 0; width: 4.75rem; display: flex; flex-direction: column;
  align-items: stretch; gap: 0.25rem; padding: 0.75rem 0.4rem; box-sizing: border-box; font: var(--text);
  background: var(--raised); border-right: 1px solid var(--line); overflow-y: auto; }
.rail a, .rail button { display: flex; flex-direction: column; align-items: center; gap: 0.2rem;
  padding: 0.45rem 0.1rem;
  border: 0; border-radius: 10px; background: none; color: var(--faint); font-size: 0.72rem; line-height: 1.2;
  text-decoration: none; cursor: pointer; }
.rail a:hover, .rail button:hover { background: var(--sunk); color: var(--ink); }
.rail a[aria-current] { background: var(--own); color: var(--accent); font-weight: 600; }
.rail [data-icon] { font-size: 1.05rem; }
.rail .brand { align-self: center; margin: 0 0 0.6rem; font-size: 1.5rem; color: var(--accent); }
.rail-space { flex: 1; }
.rail :focus-visible { outline: 3px solid var(--accent); outline-offset: -2px; }
@media (max-width: 49.99rem) {
  body { padding-left: 0; padding-bottom: 3.5rem; }
  .rail { inset: auto 0 0 0; width: auto; height: 3.5rem; flex-direction: row; gap: 0; padding: 0.2rem 0.25rem;
    border-right: 0; border-top: 1px solid var(--line); overflow: hidden; }
  .rail a, .rail button { flex: 1 1 0; min-width: 0; justify-content: center; padding: 0.2rem 0; white-space: nowrap; }
  .rail .brand, .rail-space { display: none; }
}
/* The routes, whose own style comes with them, beside the rail. */
html, .dark-mode body { background: var(--page); }

"""#),
        "docs.js": WebAsset(type: script, digest: "67526c6a3855d6d972ebd4ad4a998272", text: #"""
const module_dom = (() => {
// Elements are made here: text enters the page as text nodes, never as markup.

/**
 * An element with attributes and children. Functions become listeners, false and null leave an attribute out; strings
 * become text.
 */
function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

/** The same for drawings. */
function shape(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** The same for formulas. */
function formula(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/1998/Math/MathML", name), attributes, children);
}

const find = (id) => document.getElementById(id);

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Combining marks on one character: drawing time grows with the square of their number. */
const longMarks = /\p{M}{200}/u;

const hasLongMarks = (text) => longMarks.test(text);

/** Where to cut a text at `end` or just behind it, so that no character is cut in two. */
const whole = (text, end) => (/[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end);

/** The nodes of an untrusted text, split where it would take too long to draw. */
function plainNodes(text) {
  if (!hasLongMarks(text)) return [text];
  const nodes = [];
  for (let at = 0; at < text.length;) {
    const end = whole(text, at + 200);
    nodes.push(element("span", {}, text.slice(at, end)));
    at = end;
  }
  return nodes;
}
return { element, shape, formula, find, hasLongMarks, whole, plainNodes };
})();
const module_key = (() => {
// The gateway's key, as the pages share it: for this tab, until it is closed, or on this device where the reader wants
// that. An address may bring it as `#key=…`, a part that no browser sends to anybody.

const name = "headgate.key";

/** The key that is kept, or has come with the address; empty when there is none. */
function keptKey() {
  const brought = /^#key=([\x21-\x7e]+)$/.exec(location.hash)?.[1];
  if (brought === undefined) return read(() => sessionStorage) || read(() => localStorage);
  // Neither the history nor a copied address shall hold it.
  history.replaceState(null, "", location.pathname + location.search);
  const key = decoded(brought);
  if (!isKey(key)) return "";
  keepKey(key, isRemembered());
  return key;
}

/** Whether a text may be a key: what else there is in it could not be sent. */
const isKey = (text) => /^[\x21-\x7e]+$/.test(text);

/**
 * The single-use code that the address has brought as `#pair=…`; null without one. Like a key it leaves the address.
 */
function broughtCode() {
  const code = /^#pair=([\w-]{22})$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps it for this tab, and on this device if it is to be remembered. */
function keepKey(key, isToBeRemembered) {
  forgetKey();
  write(() => sessionStorage, key);
  if (isToBeRemembered) write(() => localStorage, key);
}

function forgetKey() {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().removeItem(name);
    } catch {
      // Then it was never kept.
    }
  }
}

const isRemembered = () => read(() => localStorage) !== "";

// A browser may refuse storage altogether: even asking for it may fail.

function read(storage) {
  try {
    return storage().getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage, key) {
  try {
    storage().setItem(name, key);
  } catch {
    // It holds for this page, then.
  }
}
return { keptKey, isKey, broughtCode, keepKey, forgetKey, isRemembered };
})();
const module_icons = (() => {
// The pages' own icons: paths on a grid of 20 by 20, drawn with a stroke of the text's colour.

const { shape } = module_dom;

const paths = new Map([
  ["gate", "M3 4h14M5 4v13M15 4v13M5 9h10M5 13h10"],
  ["chat",
    "M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5z"],
  ["status", "M2 11h4l2-6 4 11 2-5h4"],
  ["key", "M12.5 11.5a4 4 0 1 0-3.4-1.9L3 15.7V17h3v-2h2v-2h1.5l1.4-1.6M13.5 6.5h.01"],
  ["usage", "M3 3v14h14M7 14v-4M11 14V6M15 14v-6"],
  ["docs", "M4 4.5A1.5 1.5 0 0 1 5.5 3H16v11H5.5A1.5 1.5 0 0 0 4 15.5zM4 15.5A1.5 1.5 0 0 0 5.5 17H16v-3"],
  ["sun", "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    + "M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"],
  ["moon", "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z"],
  ["leave", "M8 4H4v12h4M12 6l4 4-4 4M16 10H8"],
  ["menu", "M3 5h14v10H3zM8 5v10"],
  ["plus", "M10 4v12M4 10h12"],
  ["more", "M4.5 10h.01M10 10h.01M15.5 10h.01"],
  ["edit", "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.5 6l2.6 2.6"],
  ["delete", "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6"],
  ["copy", "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z"],
  ["check", "M4 10.5l4 4 8-9"],
  ["again", "M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5"],
  ["forward", "M5 4l6 6-6 6M11 4l6 6-6 6"],
  ["send", "M10 16V4M4.5 9.5L10 4l5.5 5.5"],
  ["stop", "M6 6h8v8H6z"],
  ["attach", "M15.5 9.5l-5.8 5.8a3.5 3.5 0 0 1-5-5l6.3-6.3a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3"],
  ["camera", "M3 6.5h3L7.5 4h5L14 6.5h3V16H3zM10 8.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4"],
  ["settings", "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4"],
  ["close", "M5 5l10 10M15 5L5 15"],
  ["down", "M5 8l5 5 5-5"],
  ["left", "M12 5l-5 5 5 5"],
  ["right", "M8 5l5 5-5 5"],
  ["info", "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9v5M10 6.3h.01"],
  ["file", "M5 3h7l4 4v10H5zM12 3v4h4"],
]);

function icon(name) {
  return shape("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    shape("path", { d: paths.get(name) }));
}

/** Draws the icons that the page names in its markup. */
function placeIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.replaceChildren(icon(node.dataset.icon));
}
return { icon, placeIcons };
})();
const module_words_ja = (() => {
// The pages in Japanese, by their English texts.

const japanese = {
  "(not in this browser)": "（このブラウザーにはありません）",
  ", admin": "、管理者",
  ", key {number}": "、キー{number}",
  ", shutting down": "、終了中",
  ", {resting} of {count} keys resting": "、{count}個中{resting}個のキーが休止中",
  "1 conversation imported.": "1件の会話を読み込みました。",
  "1 conversation was here already.": "1件の会話はすでにありました。",
  "A key has only letters, digits and signs, without spaces.": "キーに使えるのは英字、数字、記号だけです。空白は使えません。",
  "API docs": "API資料",
  "Add a key": "キーを追加",
  "Amount": "金額",
  "Answer of {author}": "{author}の回答",
  "Answering.": "回答しています。",
  "Arguments": "引数",
  "Assistant": "アシスタント",
  "At a glance": "概観",
  "Attach files": "ファイルを添付",
  "At most {count} files go with a message.": "1つのメッセージに添付できるファイルは{count}個までです。",
  "Attachments": "添付ファイル",
  "Attempts": "試行",
  "Budget": "予算",
  "Budgets": "予算",
  "By key": "キー別",
  "By model": "モデル別",
  "Cancel": "キャンセル",
  "Chat": "チャット",
  "Close": "閉じる",
  "Close settings": "設定を閉じる",
  "Compare SQLite and PostgreSQL in a table.": "SQLiteとPostgreSQLを表で比べてください。",
  "Context, in tokens": "コンテキスト（トークン）",
  "Continue with this one": "この回答で続ける",
  "Conversations": "会話",
  "Conversations (Alt+C)": "会話 (Alt+C)",
  "Copy": "コピー",
  "Cost": "費用",
  "Cost this month": "今月の費用",
  "Cost today": "今日の費用",
  "Delete": "削除",
  "Delete preset": "プリセットを削除",
  "Delete {name}": "{name}を削除",
  "Dismiss": "閉じる",
  "Do it": "実行",
  "Draft a friendly reply to a late delivery.": "配達の遅れに対する丁寧な返信を書いてください。",
  "Drop the oldest and try again": "古い部分を省いて再試行",
  "Duration": "所要時間",
  "Duration by outcome": "結果別の所要時間",
  "Ended": "終了",
  "Enter a key of this gateway": "このゲートウェイのキーを入力",
  "Expires": "有効期限",
  "Explain how a stream of Server-Sent Events works.": "Server-Sent Eventsの仕組みを説明してください。",
  "Export": "書き出す",
  "File to import": "読み込むファイル",
  "Files to attach": "添付するファイル",
  "Files to be sent": "送信するファイル",
  "First": "最初の内容",
  "Forget key": "キーを消去",
  "Gateway key": "ゲートウェイのキー",
  "Group": "グループ",
  "Headgate: chat": "Headgate: チャット",
  "Headgate: routes": "Headgate: API",
  "Headgate: status": "Headgate: 状態",
  "Health": "稼働状況",
  "How to use this key": "このキーの使い方",
  "Import": "読み込む",
  "Include them again": "再び含める",
  "It gets another key. Name, limits and what was made with it stay.": "新しいキーになります。名前、制限、これまでの記録は残ります。",
  "It is shown only now: the gateway stores its digest alone.": "表示は今回だけです。ゲートウェイはダイジェストだけを保存します。",
  "Its name there": "そこでの名前",
  "Jump to latest": "最新へ移動",
  "Key": "キー",
  "Keyboard": "キーボード",
  "Keys": "キー",
  "Kind": "種類",
  "Last error": "最後のエラー",
  "Last seven days": "過去7日間",
  "Latest requests": "最新のリクエスト",
  "Light or dark": "明るい・暗い",
  "Limits": "制限",
  "Make the key": "キーを作成",
  "Max tokens": "最大トークン数",
  "May see this page and manage keys": "このページの閲覧とキーの管理を許可",
  "Message": "メッセージ",
  "Messages": "メッセージ",
  "Model": "モデル",
  "Model (Alt+M)": "モデル (Alt+M)",
  "Models": "モデル",
  "Models with several targets": "複数の送信先を持つモデル",
  "Models: needs a key": "モデル: キーが必要です",
  "Models: not listed": "モデル: 一覧がありません",
  "Money": "費用",
  "Name": "名前",
  "Name of the preset": "プリセットの名前",
  "New chat": "新しいチャット",
  "New chat (Alt+N)": "新しいチャット (Alt+N)",
  "New key": "新しいキー",
  "New title": "新しいタイトル",
  "No conversation has these words.": "この語を含む会話はありません。",
  "No presets yet": "プリセットなし",
  "No request has gone to an upstream yet.": "上流へのリクエストはまだありません。",
  "None of the last requests is like that.": "該当するリクエストはありません。",
  "Not every model takes PDF: {models} might refuse it.": "PDFを受け付けないモデルがあります: {models}は拒否するかもしれません。",
  "Nothing older is left to drop: shorten the message, or take a model with a larger context.":
    "省ける古い部分がありません。メッセージを短くするか、コンテキストの大きいモデルを選んでください。",
  "Nothing was exported: {reason}.": "書き出せませんでした: {reason}",
  "Nothing was imported: the browser's storage is full.": "読み込めませんでした: ブラウザーの保存領域がいっぱいです。",
  "Nothing was imported: {reason}": "読み込めませんでした: {reason}",
  "Nothing was imported: {reason}.": "読み込めませんでした: {reason}",
  "Now": "現在",
  "On the gateway's machine, this command opens the page with its key:": "ゲートウェイのあるマシンでは、次のコマンドがキー付きでこのページを開きます:",
  "Options of {name}": "{name}の操作",
  "Outcome": "結果",
  "Pages": "ページ",
  "Part of the context that is used": "使用中のコンテキストの割合",
  "Pause": "一時停止",
  "Period": "期間",
  "Picture to attach": "添付する写真",
  "Preset": "プリセット",
  "Preset…": "プリセット…",
  "Priority": "優先度",
  "Rate of requests": "リクエストの上限",
  "Rate of tokens": "トークンの上限",
  "Reasoning": "思考",
  "Regenerate with another model": "別のモデルで再生成",
  "Regenerate with…": "別のモデルで再生成…",
  "Remember on this device": "この端末に保存",
  "Remove": "取り除く",
  "Remove {name}": "{name}を取り除く",
  "Rename": "名前を変更",
  "Rename {name}": "{name}の名前を変更",
  "Request": "リクエスト",
  "Requests": "リクエスト",
  "Requests at once": "同時リクエスト数",
  "Requests in each": "リクエストの単位時間",
  "Requests this month": "今月のリクエスト",
  "Requests today": "今日のリクエスト",
  "Requests with it are refused from now on. Those in flight end as usual.": "以後このキーのリクエストは拒否されます。処理中のものは通常どおり終わります。",
  "Result": "結果",
  "Resume": "再開",
  "Revoke": "失効",
  "Revoke {name}": "{name}を失効",
  "Revoke {name}?": "{name}を失効しますか?",
  "Rotate": "更新",
  "Rotate {name}": "{name}を更新",
  "Rotate {name}?": "{name}を更新しますか?",
  "Save as preset…": "プリセットとして保存…",
  "Search": "検索",
  "Search conversations": "会話を検索",
  "Send": "送信",
  "Settings": "設定",
  "Settings of this chat": "このチャットの設定",
  "Show all": "すべて表示",
  "Show all {count}": "{count}件すべて表示",
  "Show more keys": "さらに表示",
  "Side by side with": "並べて比べるモデル",
  "Skip to the message box": "メッセージ欄へ移動",
  "State": "状態",
  "Status": "状態",
  "Stop": "停止",
  "Stopped.": "停止しました。",
  "Streams": "ストリーム",
  "Streams in flight": "処理中のストリーム",
  "Suggestions": "例",
  "Sure?": "よろしいですか?",
  "System prompt": "システムプロンプト",
  "System prompt of this chat": "このチャットのシステムプロンプト",
  "Take a picture": "写真を撮る",
  "Temperature": "温度",
  "The answer broke off before its end.": "回答が途中で切れました。",
  "The answer broke off.": "回答が途切れました。",
  "The answer failed.": "回答に失敗しました。",
  "The answer holds an event that is not JSON.": "回答にJSONでないイベントがあります。",
  "The connection broke before the answer's end.": "回答の途中で接続が切れました。",
  "The conversation was deleted in another tab.": "この会話は別のタブで削除されました。",
  "The file cannot be read: it is gone, or larger than this browser reads at once.": "ファイルを読めません。なくなったか、大きすぎます。",
  "The file is larger than 1 GiB.": "ファイルが1 GiBを超えています。",
  "The file is not JSON.": "ファイルがJSONではありません。",
  "The file is not an export of conversations.": "会話の書き出しファイルではありません。",
  "The gateway answered with status {status}.": "ゲートウェイの応答: ステータス{status}",
  "The gateway cannot be reached. Is it running?": "ゲートウェイに接続できません。起動していますか?",
  "The gateway does not know this key.": "ゲートウェイが知らないキーです。",
  "The key": "キー",
  "The key of": "キーの名前:",
  "The last hour by minute": "直近1時間（分別）",
  "The messages in grey are not sent any more.": "灰色のメッセージは送信されません。",
  "The model refused.": "モデルが拒否しました。",
  "The page failed to show the answer.": "回答を表示できませんでした。",
  "The present key ends": "現在のキーの終了",
  "The preset is not stored: the browser's storage is full or closed.": "プリセットを保存できません。保存領域がいっぱいか、使えません。",
  "There are more: 'headgate key list' shows all of them.": "ほかにもあります。'headgate key list' がすべて表示します。",
  "This conversation is not stored: the browser's storage is full or closed to this page.":
    "この会話は保存されません。ブラウザーの保存領域がいっぱいか、使えません。",
  "This month": "今月",
  "This month by day (UTC)": "今月（日別、UTC）",
  "Time to the first content": "最初の内容までの時間",
  "Together they are too large: at most {count} MiB go with a message.":
    "合計サイズが大きすぎます。1つのメッセージに添付できるのは{count} MiBまでです。",
  "Today": "今日",
  "Tokens": "トークン",
  "Tokens in each": "トークンの単位時間",
  "Tokens this month": "今月のトークン",
  "Tokens today": "今日のトークン",
  "Too long:": "長すぎます:",
  "Took": "所要時間",
  "Tool call:": "ツール呼び出し:",
  "Top-p": "Top-p",
  "Total": "合計",
  "Try again": "再試行",
  "Try again in {count} s.": "{count}秒後に再試行してください。",
  "Undo": "元に戻す",
  "Unit": "単位",
  "Until this tab is closed, all pages of the gateway use the key.": "このタブを閉じるまで、ゲートウェイの全ページがこのキーを使います。",
  "Untitled": "無題",
  "Upstream": "上流",
  "Upstreams": "上流",
  "Usage": "使用量",
  "Use dark colours": "暗い配色にする",
  "Use key": "キーを使う",
  "Use light colours": "明るい配色にする",
  "Version {number} of {count}": "{count}件中{number}件目",
  "Views": "表示",
  "Weight": "重み",
  "What the model is told before the first message": "最初のメッセージの前にモデルへ伝える内容",
  "What would you like to know?": "何を知りたいですか?",
  "With…": "モデル…",
  "Write a Python function that retries with a growing pause.": "間隔を延ばしながら再試行するPython関数を書いてください。",
  "Yesterday": "昨日",
  "You": "あなた",
  "You change a message: what you send becomes another branch.": "メッセージを変更しています。送信すると別の枝になります。",
  "Your conversations are stored in this browser only.": "会話はこのブラウザーだけに保存されます。",
  "Your message goes to the gateway, and from there to the model that you choose.": "メッセージはゲートウェイを通って、選んだモデルに送られます。",
  "a day": "1日に",
  "a minute": "1分に",
  "a month": "1か月に",
  "a second": "1秒に",
  "a week": "1週間に",
  "all": "すべて",
  "all requests": "すべてのリクエスト",
  "an hour": "1時間に",
  "answers": "応答あり",
  "at once": "すぐに",
  "batch, behind all others": "バッチ、ほかのすべての後",
  "breaker open until {time}": "{time}まで遮断",
  "cache": "キャッシュ",
  "choose a model": "モデルを選ぶ",
  "conversations": "会話",
  "default": "既定",
  "dollars": "ドル",
  "expired": "期限切れ",
  "fails its checks": "検査に失敗",
  "first after {time}": "最初まで{time}",
  "free": "無料",
  "group {name}": "グループ{name}",
  "in a day": "1日後",
  "in a week": "1週間後",
  "in an hour": "1時間後",
  "in the configuration": "設定ファイル",
  "latest": "最新",
  "left alone": "休止中",
  "managed": "管理対象",
  "median {time}": "中央値{time}",
  "new chat": "新しいチャット",
  "new line": "改行",
  "no limit": "無制限",
  "no other model": "なし",
  "no request had content yet": "内容のあるリクエストはまだありません",
  "no request yet": "リクエストなし",
  "none": "なし",
  "not known yet": "まだ不明",
  "not listed; use this name": "一覧にない名前を使う",
  "now": "現在",
  "offline": "オフライン",
  "older": "以前",
  "passes its checks": "検査に合格",
  "program failed": "プログラムは失敗",
  "program ready": "プログラムは準備完了",
  "program starting": "プログラムを起動中",
  "program stopped": "プログラムは停止中",
  "program stopping": "プログラムを停止処理中",
  "refused": "拒否",
  "requests": "リクエスト",
  "response": "応答",
  "rotated, both let in": "更新済み、両方有効",
  "send": "送信",
  "stop the answer, or editing": "回答または編集を止める",
  "system prompt": "システムプロンプト",
  "the conversation is longer than the model can read.": "会話がモデルの読める長さを超えています。",
  "this is more than fits into one file": "1つのファイルに収まりません",
  "tiny demo model, English only": "小さな試用モデル（英語のみ）",
  "to the message box": "メッセージ欄へ",
  "today": "今日",
  "tokens": "トークン",
  "tried again": "再試行中",
  "unknown": "不明",
  "unreachable": "到達不能",
  "until {time}": "{time}まで",
  "usable": "使用可",
  "usual": "通常",
  "{amount} of {all} tokens ({part} %)": "{all}トークン中{amount} ({part} %)",
  "{amount} tokens so far": "これまで{amount}トークン",
  "{count} conversations imported.": "{count}件の会話を読み込みました。",
  "{count} conversations were here already.": "{count}件の会話はすでにありました。",
  "{count} prompt tokens": "プロンプト{count}トークン",
  "{count} s ago": "{count}秒前",
  "{count} tokens": "{count}トークン",
  "{count} tokens a second": "毎秒{count}トークン",
  "{count} tokens of context": "コンテキスト{count}トークン",
  "{good} finished, {bad} failed, {warn} other": "完了{good}、失敗{bad}、その他{warn}",
  "{held}, {waiting} waiting": "{held}、待機{waiting}",
  "{hits} of {all}": "{all}中{hits}",
  "{left} left of {all}": "{all}のうち残り{left}",
  "{left} left of {whole}, until {end}": "{whole}のうち残り{left}（{end}まで）",
  "{now} now, {most} at most": "現在{now}、最大{most}",
  "{prompt} in, {completion} out": "入力{prompt}、出力{completion}",
  "{prompt} in, {completion} out per million": "100万あたり入力{prompt}、出力{completion}",
  "{requests} requests, {tokens} tokens": "{requests}リクエスト、{tokens}トークン",
  "{time} ago": "{time}前",
  "{upstream} ({count} attempts)": "{upstream}（試行{count}回）",
  "“{name}” cannot be attached: pictures (PNG, JPEG, WebP, GIF), PDF and text can.":
    "「{name}」は添付できません。画像（PNG、JPEG、WebP、GIF）、PDF、テキストを添付できます。",
  "“{name}” is empty.": "「{name}」は空です。",
  "“{name}” is not in this browser any more: attach it again to a new message.":
    "「{name}」はこのブラウザーにありません。新しいメッセージに添付し直してください。",
  "“{name}” is too large: such a file may have {count} MiB.": "「{name}」は大きすぎます。上限は{count} MiBです。",
  "“{title}” was deleted.": "「{title}」を削除しました。",
  "≥ marks a cost of which a part is unknown, ≈ one that is estimated.": "≥は一部が不明な費用、≈は推定の費用です。",
  "finished": "完了",
  "cancelled": "中断",
  "upstream failed": "上流の失敗",
  "timed out": "時間切れ",
  "shut down": "終了",
  "could not be reached": "接続できませんでした",
  "no secure connection": "安全な接続ができません",
  "refuses the gateway's key": "ゲートウェイのキーを拒否",
  "did not answer in time": "時間内に応答なし",
  "closed the connection without an answer": "応答せずに切断",
  "broke off in the middle of an answer": "応答の途中で切断",
  "sent a stream without content": "内容のないストリーム",
  "is starting": "起動中",
  "cannot run on this machine": "このマシンでは動きません",
  "reported an error": "エラーを報告",
  "answers with a redirection": "リダイレクトで応答",
  "allows no more requests for now": "今は追加のリクエスト不可",
  "{amount} a second": "毎秒{amount}",
  "{amount} a minute": "毎分{amount}",
  "{amount} an hour": "毎時{amount}",
  "{amount} a day": "毎日{amount}",
  "{amount} a week": "毎週{amount}",
  "{amount} a month": "毎月{amount}",
  "{count} requests": "{count}リクエスト",
  "{count} completion tokens": "出力{count}トークン",
  "{count} at once": "同時に{count}",
  "{count} in a burst": "一度に{count}",
  "key": "キー",
  "group": "グループ",
  " this hour": "（この1時間）",
  " today": "（今日）",
  " this week": "（今週）",
  " this month": "（今月）",
  "{sum} this month": "今月{sum}",
  "{sum} in the last hour": "直近1時間{sum}",
  "Requests in flight": "処理中のリクエスト",
  "Finished": "完了",
  "Failed": "失敗",
  "Refused": "拒否",
  "Cancelled": "中断",
  "Up": "稼働時間",
  "Version": "バージョン",
  "From the cache": "キャッシュから",
  "Request id": "リクエストID",
  "Trace id": "トレースID",
  "Operation": "操作",
  "Error": "エラー",
  "Detail": "詳細",
  "Upstream's status": "上流のステータス",
  "Finish reason": "終了の理由",
  "First content": "最初の内容",
  "Prompt tokens": "プロンプトのトークン",
  "Completion tokens": "出力のトークン",
  "Token source": "トークンの出所",
  "Cached tokens": "キャッシュのトークン",
  "Cache": "キャッシュ",
  "After the client left": "クライアント切断後",
  "Hedge": "並行試行",
  "Injected fault": "注入した障害",
  "Cut off: the limit of tokens was reached.": "トークンの上限で切れました。",
  "Cut off: a filter of the provider stopped the answer.": "提供元のフィルターが回答を止めました。",
  "The model refused to go on.": "モデルが続行を拒否しました。",
  "Stopped before the first word.": "最初の語の前に停止しました。",
  "Copied": "コピーしました",
  "Selected": "選択しました",
  "Edit": "編集",
  "Continue": "続ける",
  "Regenerate": "再生成",
  "Earlier version": "前の版",
  "Later version": "次の版",
  "Base URL": "ベースURL",
  "Environment": "環境変数",
  "An app, such as codex or zed": "アプリ（codexやzedなど）",
  "A replay is a new request, with this page's key.": "再実行は、このページのキーで送る新しいリクエストです。",
  "Answer": "回答",
  "As it streamed": "届いた順",
  "As it was sent": "送られたまま",
  "Body": "本文",
  "Copy as curl": "curlとしてコピー",
  "Headers": "ヘッダー",
  "It is not text: {all} bytes.": "テキストではありません（{all}バイト）。",
  "Model of the replay": "再実行のモデル",
  "Only the beginning of {all} bytes is stored.": "{all}バイトのうち先頭だけが保存されています。",
  "Parameters": "パラメーター",
  "Prompt": "プロンプト",
  "Replay": "再実行",
  "Replay with {model}": "{model}で再実行",
  "Sent upstream": "上流への送信",
  "Tools": "ツール",
  "in progress": "進行中",
  "Save as Markdown": "Markdownで保存",
  "Save {name} as Markdown": "{name}をMarkdownで保存",
  "The command": "コマンド",
  "on this device": "この端末",
  "local": "ローカル",
  "cloud": "クラウド",
  "picture": "画像",
  "text": "テキスト",
};
return { japanese };
})();
const module_words = (() => {
// The pages' language: the reader's first one that there is a table for, English otherwise.

const { japanese } = module_words_ja;

/** English is what the pages are written in. Another language is one more table, from the same English texts. */
const tables = new Map([["en", {}], ["ja", japanese]]);

/** Such as "en-GB". */
const locale = navigator.languages.find((name) => tables.has(languageOf(name))) ?? "en";
const table = tables.get(languageOf(locale));

function languageOf(name) {
  return name.split("-")[0];
}

/** A text of the pages in the reader's language; `{name}` in it becomes that one of `values`. */
function t(text, values = {}) {
  const found = Object.hasOwn(table, text) ? table[text] : text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Translates what the page's markup says. */
function translatePage() {
  document.documentElement.lang = languageOf(locale);
  document.title = t(document.title);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, " ");
    if (Object.hasOwn(table, text)) node.data = t(text);
  }
  for (const name of ["aria-label", "placeholder", "title", "label"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}
return { locale, t, translatePage };
})();
const module_rail = (() => {
// What all pages begin with: their language, their icons, and the mark at the page that is shown.

const { placeIcons } = module_icons;
const { translatePage } = module_words;

function startPage() {
  translatePage();
  placeIcons();
  markPage();
  addEventListener("hashchange", markPage);
}

/** Two links lead to views of one page: the one that says more of the address counts. */
function markPage() {
  const links = [...document.querySelectorAll(".rail a")];
  const exact = links.find((link) => link.pathname === location.pathname && link.hash === location.hash);
  const shown = exact ?? links.find((link) => link.pathname === location.pathname);
  for (const link of links) {
    if (link === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
return { startPage };
})();
// The routes, to read and try: with the key that the other pages have, and with a model that this gateway has.

const { find } = module_dom;
const { forgetKey, keptKey } = module_key;
const { startPage } = module_rail;

/** Of the description's examples. */
const exampleModel = "smollm2";

startPage();
const key = keptKey();
find("key-forget").hidden = key === "";
find("key-forget").addEventListener("click", () => {
  forgetKey();
  location.reload();
});

async function firstModel() {
  try {
    const headers = key === "" ? {} : { Authorization: `Bearer ${key}` };
    const list = await (await fetch("/v1/models", { headers, credentials: "omit", cache: "no-store" })).json();
    const names = list.data.map(({ id }) => id);
    return names.includes(exampleModel) ? exampleModel : names[0] ?? exampleModel;
  } catch {
    // Without the key there is no list.
    return exampleModel;
  }
}

/** The same description, with that name in the examples of requests. */
function naming(model, value) {
  if (Array.isArray(value)) return value.map((one) => naming(model, one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) =>
    [name, (name === "model" || name === "example") && member === exampleModel ? model : naming(model, member)]));
}

const [spec, model] = await Promise.all([fetch("/openapi.json").then((answer) => answer.json()), firstModel()]);
const page = globalThis.SwaggerUIBundle({
  spec: naming(model, spec),
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  onComplete() {
    if (key !== "") page.preauthorizeApiKey("bearer", key);
  },
});

"""#),
        "icon.svg": WebAsset(type: svg, digest: "3ef4c10870eb1fc4432524f6c148d000", text: #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c6b"/><path d="M7 8h18v3H7zM9 11h3v13H9zM20 11h3v13h-3z" fill="#fff"/><path d="M12 15h8v4h-8z" fill="#8fe0ec"/></svg>

"""#),
        "status.css": WebAsset(type: style, digest: "da295ca7ab2456e732903c9d93a675d5", text: #"""
/* What all pages share, the routes' too: colours of both themes, and the rail that leads from page to page. */
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfbf9, #15191c);
  --raised: light-dark(#ffffff, #1e2428);
  --sunk: light-dark(#eef1f0, #101315);
  --line: light-dark(#dbe0df, #323b40);
  --edge: light-dark(#87938f, #69767c);
  --ink: light-dark(#1a2225, #e6ebec);
  --faint: light-dark(#55636a, #a3b1b7);
  --accent: light-dark(#0b5c6b, #7cd4e3);
  --on-accent: light-dark(#ffffff, #08272d);
  --own: light-dark(#e3f1f3, #17424b);
  --bad: light-dark(#a3201b, #ff9c94);
  --bad-back: light-dark(#fdecea, #3a1c1a);
  --good: light-dark(#1f6b38, #7fd49a);
  --warn: light-dark(#7a5200, #ecc06c);
  --code-word: light-dark(#7a2a8c, #dca6ec);
  --text: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans CJK JP",
    "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding-left: 4.75rem; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { display: block; width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; stroke-linejoin: round; }
[data-icon] { display: inline-block; width: 1.25em; height: 1.25em; flex: none; }
.dark-mode .if-light, :root:not(.dark-mode) .if-dark { display: none; }

.rail { position: fixed; z-index: 4; inset: 0 auto 0 0; width: 4.75rem; display: flex; flex-direction: column;
  align-items: stretch; gap: 0.25rem; padding: 0.75rem 0.4rem; box-sizing: border-box; font: var(--text);
  background: var(--raised); border-right: 1px solid var(--line); overflow-y: auto; }
.rail a, .rail button { display: flex; flex-direction: column; align-items: center; gap: 0.2rem;
  padding: 0.45rem 0.1rem;
  border: 0; border-radius: 10px; background: none; color: var(--faint); font-size: 0.72rem; line-height: 1.2;
  text-decoration: none; cursor: pointer; }
.rail a:hover, .rail button:hover { background: var(--sunk); color: var(--ink); }
.rail a[aria-current] { background: var(--own); color: var(--accent); font-weight: 600; }
.rail [data-icon] { font-size: 1.05rem; }
.rail .brand { align-self: center; margin: 0 0 0.6rem; font-size: 1.5rem; color: var(--accent); }
.rail-space { flex: 1; }
.rail :focus-visible { outline: 3px solid var(--accent); outline-offset: -2px; }
@media (max-width: 49.99rem) {
  body { padding-left: 0; padding-bottom: 3.5rem; }
  .rail { inset: auto 0 0 0; width: auto; height: 3.5rem; flex-direction: row; gap: 0; padding: 0.2rem 0.25rem;
    border-right: 0; border-top: 1px solid var(--line); overflow: hidden; }
  .rail a, .rail button { flex: 1 1 0; min-width: 0; justify-content: center; padding: 0.2rem 0; white-space: nowrap; }
  .rail .brand, .rail-space { display: none; }
}
/* What chat and status share: the parts they are made of. */
:root { font: var(--text); color: var(--ink); background: var(--page); }
* { box-sizing: border-box; }
h1 { font-size: 1.1rem; margin: 0; }
a { color: var(--accent); }
code, pre, kbd { font-family: var(--mono); font-size: 0.9em; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; background: var(--sunk); }
button, select, input, textarea { font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; padding: 0.35rem 0.7rem; }
input, select, textarea { border-color: var(--edge); }
::placeholder { color: var(--faint); opacity: 1; }
button { cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--faint); cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.faint { color: var(--faint); }
.error { color: var(--bad); background: var(--bad-back); border-radius: 8px; padding: 0.5rem 0.75rem; }
.error p { margin: 0 0 0.4rem; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--raised); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 3; }
button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; }
/* One card in the middle of the page, as nothing else can be done without the key. */
#key-form { display: grid; gap: 0.75rem; width: min(26rem, 100% - 2rem); margin: 12vh auto 2rem; padding: 1.5rem;
  border: 1px solid var(--line); border-radius: 14px; background: var(--raised);
  box-shadow: 0 8px 30px rgb(0 0 0 / 8%); }
#key-form p { margin: 0; }
#key-form h2 { margin: 0; font-size: 1.2rem; }
#key-form label:not(.check) { font-weight: 600; margin-bottom: -0.5rem; }
#key-notice:empty { display: none; }
#key-notice, .wrong { color: var(--bad); }
.wrong:empty { display: none; }
#toast { position: fixed; z-index: 6; left: 50%; bottom: 5rem; transform: translateX(-50%); display: flex; gap: 0.75rem;
  align-items: center; width: max-content; max-width: min(34rem, calc(100vw - 2rem));
  padding: 0.6rem 0.6rem 0.6rem 1rem;
  border-radius: 10px; background: var(--ink); color: var(--page); box-shadow: 0 6px 24px rgb(0 0 0 / 25%); }
#toast:empty { display: none; }
#toast button { border-color: transparent; background: none; color: inherit; text-decoration: underline; }
#toast .close { padding: 0.25rem; text-decoration: none; }
#toast :focus-visible { outline-color: var(--page); }
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
/* The status page: money, figures, lists, tables, charts. */
main { max-width: 84rem; margin: 0 auto; padding: 0 1.5rem 3rem; }
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem;
  margin: 0 -1.5rem 1rem; padding: 0.6rem 1.5rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
h1 { font-size: 1.3rem; min-width: 6rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 0.6rem; }
h3 { font-size: 0.85rem; font-weight: 600; margin: 0 0 0.25rem; color: var(--faint); }
#shown > div > section:first-child h2 { margin-top: 0.5rem; }
.tabs { display: flex; gap: 0.25rem; flex: 1; }
.tabs a { padding: 0.45rem 0.75rem 0.55rem; color: var(--faint); text-decoration: none;
  border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--ink); }
.tabs a[aria-current] { color: var(--accent); border-color: var(--accent); font-weight: 600; }
#pause { margin-bottom: 0.35rem; padding-block: 0.2rem; }
#shown.old { opacity: 0.75; }

.card, .charts figure, .table, .rows { border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
.cards { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: 0.75rem; }
.card { grid-column: span 6; padding: 0.8rem 1rem; min-width: 0; }
.card p { margin: 0; }
.card .sum { font-size: 2rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; }
.card th, .card td { padding: 0.25rem 0 0.25rem 1rem; }
.card th:first-child, .card td:first-child { padding-left: 0; }
.card td:first-child { max-width: 0; width: 60%; }

.rows { list-style: none; margin: 0; padding: 0; }
.rows li { display: grid; gap: 0 1rem; align-items: baseline;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr) minmax(0, 3fr); padding: 0.5rem 1rem; }
.rows.budgets li { grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr) minmax(0, 2fr) 9rem; }
.rows li + li { border-top: 1px solid var(--line); }
.rows .name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.rows .detail { color: var(--faint); overflow-wrap: break-word; min-width: 0; }
.rows .bad { color: var(--bad); }
.rows .name.bad { color: inherit; }
meter { width: 9rem; height: 0.6rem; border: 0; border-radius: 99px; background: var(--sunk); }
meter::-webkit-meter-bar { border: 0; border-radius: 99px; background: var(--sunk); height: 0.6rem; }
meter::-webkit-meter-optimum-value { background: var(--accent); border-radius: 99px; }
meter::-moz-meter-bar { background: var(--accent); border-radius: 99px; }

#figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 0.5rem 1rem; margin: 0; }
dt { font-size: 0.8rem; color: var(--faint); }
dd { margin: 0; font-variant-numeric: tabular-nums; }

.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { padding: 0.4rem 0.75rem; text-align: left; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
th, .number { white-space: nowrap; }
th { font-size: 0.8rem; color: var(--faint); font-weight: 600; }
tbody tr { border-top: 1px solid var(--line); }
td.number, th.number { text-align: right; }
tbody td.number:first-child { text-align: left; }
/* A name is never broken: it ends in dots, and is whole in its title and in the request's dialog. */
td.name { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.requests td.name { max-width: 11rem; }
@media (min-width: 88rem) {
  .requests td.name { max-width: 16rem; }
}
.requests td.mark { min-width: 9rem; }
#upstreams-rows td:last-child { max-width: none; white-space: normal; }
.total { font-weight: 650; }
.keys meter { display: block; margin-top: 0.3rem; }
.mark::before { content: ""; display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%;
  margin-right: 0.5em; background: var(--faint); }
.mark.good::before { background: var(--good); }
.mark.warn::before { background: var(--warn); }
.mark.bad::before { background: var(--bad); }
td.mark.bad { color: var(--bad); }
#filters { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 0 0 0.6rem; font-size: 0.9rem; }
#filters select { max-width: 12rem; padding: 0.15rem 0.4rem; }
.quiet { border: 0; padding: 0; background: none; color: var(--accent); text-decoration: underline;
  font-variant-numeric: inherit; }

dialog { width: min(44rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 1.5rem); overflow-y: auto; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.25rem; }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { margin-top: 0; }
dialog h3 { font-size: 0.95rem; margin: 1.1rem 0 0.4rem; color: var(--ink); }
#request-facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 0.5rem 1rem;
  margin: 0; }
#request-facts dd { overflow-wrap: anywhere; }
#request-close { margin-top: 1rem; }
#request.inspected { width: min(64rem, calc(100vw - 1.5rem)); }
#inspection h4 { margin: 0.6rem 0 0.2rem; font-size: 0.85rem; color: var(--faint); }
#inspection pre, .pieces { margin: 0 0 0.5rem; padding: 0.45rem 0.7rem; max-height: 24rem; overflow: auto;
  border-radius: 8px; background: var(--sunk); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.pieces { list-style: none; }
.pieces li { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 0.75rem; }
.pieces .number { color: var(--faint); }
#inspection summary { padding: 0.3rem 0; cursor: pointer; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 0.5rem 1rem; margin: 0; }
.facts dd { white-space: pre-wrap; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; margin-top: 1.1rem; }
.actions > div, .actions > details { flex-basis: 100%; min-width: 0; }
.actions select { max-width: 16rem; min-width: 0; }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 0.8rem 1.25rem; }
.settings label, legend { font-size: 0.9rem; font-weight: 600; }
.settings .check { font-weight: 400; }
.settings label > input:not([type="checkbox"]) { display: block; width: 100%; min-width: 0; font-weight: 400; }
fieldset { display: flex; flex-wrap: nowrap; align-items: center; gap: 0.4rem; min-width: 0; margin: 0; padding: 0;
  border: 0; }
fieldset input { flex: 1; width: 4rem; min-width: 0; }
.settings .check, .settings p { grid-column: 1 / -1; margin: 0; }
#made-key { flex: 1; min-width: 0; font-family: var(--mono); }
.made { display: flex; gap: 0.5rem; }
#made-use dd { display: flex; gap: 0.5rem; align-items: flex-start; margin-bottom: 0.6rem; }
#made-use pre { flex: 1; min-width: 0; margin: 0; padding: 0.45rem 0.7rem; overflow-x: auto; border-radius: 8px;
  background: var(--sunk); }

.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0.75rem; }
.charts figure { position: relative; margin: 0; padding: 0.6rem 0.9rem; min-width: 0; }
figcaption { font-size: 0.85rem; margin-bottom: 0.5rem; min-height: 2.6em; }
.plot { display: grid; grid-template: auto 1fr auto auto / auto minmax(0, 1fr); gap: 0 0.5rem; font-size: 0.75rem;
  color: var(--faint);
  font-variant-numeric: tabular-nums; }
.plot svg { grid-area: 1 / 2 / 4 / 3; display: block; width: 100%; height: 7rem; }
.plot .most { grid-area: 1 / 1; line-height: 1; }
.plot .none { grid-area: 3 / 1; text-align: right; line-height: 1; }
.plot .most:empty { min-width: 2ch; }
.plot .ends { grid-area: 4 / 2; display: flex; justify-content: space-between; margin-top: 0.25rem; }
.value { position: absolute; right: 0.9rem; bottom: 0.45rem; left: 0.9rem; width: max-content;
  max-width: calc(100% - 1.8rem);
  margin: 0 auto; padding: 0.1rem 0.5rem; border-radius: 6px; font-size: 0.8rem; background: var(--ink);
  color: var(--page); }
.value:empty { display: none; }
.axis { stroke: var(--line); vector-effect: non-scaling-stroke; }
.bar.good { fill: var(--accent); }
.bar.warn { fill: var(--warn); }
.bar.bad { fill: var(--bad); }
.bar.looked { fill: var(--ink); }

@media (max-width: 74.99rem) {
  .requests th:nth-child(4), .requests td:nth-child(4) { display: none; }
  .requests td.name { max-width: 8rem; }
}
@media (max-width: 64rem) {
  .card { grid-column: span 6; }
  .rows li, .rows.budgets li { grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); }
  .rows .detail { grid-column: 2; }
  .rows meter { grid-area: 2 / 1; }
  .rows .detail:empty { display: none; }
}
/* A phone has a list: an item for each row. */
@media (max-width: 40rem) {
  main { padding: 0 0.75rem 1.5rem; }
  header { margin: 0 -0.75rem 0.75rem; padding: 0.5rem 0.75rem 0; }
  h1 { flex: 1; }
  .tabs { order: 1; flex-basis: 100%; overflow-x: auto; }
  .tabs a { padding-inline: 0.5rem; }
  .card.wide { grid-column: 1 / -1; }
  .card .sum { font-size: 1.5rem; }
  .rows li, .rows.budgets li { display: flex; flex-wrap: wrap; justify-content: space-between; }
  .rows .detail, .rows meter { flex-basis: 100%; }
  .charts { grid-template-columns: minmax(0, 1fr); }
  .plot svg { height: 4.5rem; }
  figcaption { min-height: 0; }
  .table { overflow: visible; }
  .table table, .table tbody { display: block; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.1rem 0.75rem;
    padding: 0.5rem 0.75rem; }
  .table tbody tr:first-child { border-top: 0; }
  .table td, .table td.name { display: block; min-width: 0; max-width: none; padding: 0; text-align: left;
    white-space: normal; }
  .table td:empty { display: none; }
  .table td::before { content: attr(data-label); display: block; font-size: 0.72rem; color: var(--faint); }
  .table td:first-child { grid-column: 1 / -1; font-weight: 600; }
  .table td:first-child::before, .table td.mark::before { display: none; }
  .table td.mark.good { color: var(--good); }
  .table td.mark.warn { color: var(--warn); }
  .table .quiet { padding: 0.3rem 0; }
  .keys td:nth-child(n + 7)::before { display: none; }
  .keys tr, .requests tr { grid-template-columns: minmax(0, 1fr) auto; }
  .keys td:nth-child(3), .keys td:nth-child(4), .keys td:nth-child(5) { grid-column: 1 / -1; }
  /* Two lines say what went on; the rest is behind the time. */
  .requests td::before { display: none; }
  .requests td.name { overflow: hidden; white-space: nowrap; }
  .requests td:nth-child(1) { grid-area: 1 / 2; font-weight: 400; text-align: right; }
  .requests td:nth-child(2) { grid-area: 2 / 1; }
  .requests td:nth-child(3) { grid-area: 1 / 1; font-weight: 600; }
  .requests td:nth-child(7) { grid-area: 2 / 2; text-align: right; }
  .requests td:nth-child(n + 4):not(:nth-child(7)) { display: none; }
  .requests .quiet { padding: 0; }
  .sums td:nth-child(n + 2):nth-child(-n + 7) { grid-column: auto; }
}

"""#),
        "status.js": WebAsset(type: script, digest: "885a74151fa8acf70705bb1a76be52e0", text: #"""
// Light or dark: as the system has it until the reader chooses. Runs before the page is painted, so it is no module.
"use strict";

(() => {
  const place = "headgate.theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem(place);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(place, theme);
    } catch {
      // It holds for this page, then.
    }
  };

  if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();
  const shown = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
  // Swagger UI, on the page of the routes, knows the theme by a class; so do the two faces of the button.
  const mark = () => root.classList.toggle("dark-mode", shown() === "dark");
  mark();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      mark();
    });
    system.addEventListener("change", mark);
  });
})();
addEventListener("DOMContentLoaded", () => {
"use strict";
const module_dom = (() => {
// Elements are made here: text enters the page as text nodes, never as markup.

/**
 * An element with attributes and children. Functions become listeners, false and null leave an attribute out; strings
 * become text.
 */
function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

/** The same for drawings. */
function shape(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** The same for formulas. */
function formula(name, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/1998/Math/MathML", name), attributes, children);
}

const find = (id) => document.getElementById(id);

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Combining marks on one character: drawing time grows with the square of their number. */
const longMarks = /\p{M}{200}/u;

const hasLongMarks = (text) => longMarks.test(text);

/** Where to cut a text at `end` or just behind it, so that no character is cut in two. */
const whole = (text, end) => (/[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end);

/** The nodes of an untrusted text, split where it would take too long to draw. */
function plainNodes(text) {
  if (!hasLongMarks(text)) return [text];
  const nodes = [];
  for (let at = 0; at < text.length;) {
    const end = whole(text, at + 200);
    nodes.push(element("span", {}, text.slice(at, end)));
    at = end;
  }
  return nodes;
}
return { element, shape, formula, find, hasLongMarks, whole, plainNodes };
})();
const module_words_ja = (() => {
// The pages in Japanese, by their English texts.

const japanese = {
  "(not in this browser)": "（このブラウザーにはありません）",
  ", admin": "、管理者",
  ", key {number}": "、キー{number}",
  ", shutting down": "、終了中",
  ", {resting} of {count} keys resting": "、{count}個中{resting}個のキーが休止中",
  "1 conversation imported.": "1件の会話を読み込みました。",
  "1 conversation was here already.": "1件の会話はすでにありました。",
  "A key has only letters, digits and signs, without spaces.": "キーに使えるのは英字、数字、記号だけです。空白は使えません。",
  "API docs": "API資料",
  "Add a key": "キーを追加",
  "Amount": "金額",
  "Answer of {author}": "{author}の回答",
  "Answering.": "回答しています。",
  "Arguments": "引数",
  "Assistant": "アシスタント",
  "At a glance": "概観",
  "Attach files": "ファイルを添付",
  "At most {count} files go with a message.": "1つのメッセージに添付できるファイルは{count}個までです。",
  "Attachments": "添付ファイル",
  "Attempts": "試行",
  "Budget": "予算",
  "Budgets": "予算",
  "By key": "キー別",
  "By model": "モデル別",
  "Cancel": "キャンセル",
  "Chat": "チャット",
  "Close": "閉じる",
  "Close settings": "設定を閉じる",
  "Compare SQLite and PostgreSQL in a table.": "SQLiteとPostgreSQLを表で比べてください。",
  "Context, in tokens": "コンテキスト（トークン）",
  "Continue with this one": "この回答で続ける",
  "Conversations": "会話",
  "Conversations (Alt+C)": "会話 (Alt+C)",
  "Copy": "コピー",
  "Cost": "費用",
  "Cost this month": "今月の費用",
  "Cost today": "今日の費用",
  "Delete": "削除",
  "Delete preset": "プリセットを削除",
  "Delete {name}": "{name}を削除",
  "Dismiss": "閉じる",
  "Do it": "実行",
  "Draft a friendly reply to a late delivery.": "配達の遅れに対する丁寧な返信を書いてください。",
  "Drop the oldest and try again": "古い部分を省いて再試行",
  "Duration": "所要時間",
  "Duration by outcome": "結果別の所要時間",
  "Ended": "終了",
  "Enter a key of this gateway": "このゲートウェイのキーを入力",
  "Expires": "有効期限",
  "Explain how a stream of Server-Sent Events works.": "Server-Sent Eventsの仕組みを説明してください。",
  "Export": "書き出す",
  "File to import": "読み込むファイル",
  "Files to attach": "添付するファイル",
  "Files to be sent": "送信するファイル",
  "First": "最初の内容",
  "Forget key": "キーを消去",
  "Gateway key": "ゲートウェイのキー",
  "Group": "グループ",
  "Headgate: chat": "Headgate: チャット",
  "Headgate: routes": "Headgate: API",
  "Headgate: status": "Headgate: 状態",
  "Health": "稼働状況",
  "How to use this key": "このキーの使い方",
  "Import": "読み込む",
  "Include them again": "再び含める",
  "It gets another key. Name, limits and what was made with it stay.": "新しいキーになります。名前、制限、これまでの記録は残ります。",
  "It is shown only now: the gateway stores its digest alone.": "表示は今回だけです。ゲートウェイはダイジェストだけを保存します。",
  "Its name there": "そこでの名前",
  "Jump to latest": "最新へ移動",
  "Key": "キー",
  "Keyboard": "キーボード",
  "Keys": "キー",
  "Kind": "種類",
  "Last error": "最後のエラー",
  "Last seven days": "過去7日間",
  "Latest requests": "最新のリクエスト",
  "Light or dark": "明るい・暗い",
  "Limits": "制限",
  "Make the key": "キーを作成",
  "Max tokens": "最大トークン数",
  "May see this page and manage keys": "このページの閲覧とキーの管理を許可",
  "Message": "メッセージ",
  "Messages": "メッセージ",
  "Model": "モデル",
  "Model (Alt+M)": "モデル (Alt+M)",
  "Models": "モデル",
  "Models with several targets": "複数の送信先を持つモデル",
  "Models: needs a key": "モデル: キーが必要です",
  "Models: not listed": "モデル: 一覧がありません",
  "Money": "費用",
  "Name": "名前",
  "Name of the preset": "プリセットの名前",
  "New chat": "新しいチャット",
  "New chat (Alt+N)": "新しいチャット (Alt+N)",
  "New key": "新しいキー",
  "New title": "新しいタイトル",
  "No conversation has these words.": "この語を含む会話はありません。",
  "No presets yet": "プリセットなし",
  "No request has gone to an upstream yet.": "上流へのリクエストはまだありません。",
  "None of the last requests is like that.": "該当するリクエストはありません。",
  "Not every model takes PDF: {models} might refuse it.": "PDFを受け付けないモデルがあります: {models}は拒否するかもしれません。",
  "Nothing older is left to drop: shorten the message, or take a model with a larger context.":
    "省ける古い部分がありません。メッセージを短くするか、コンテキストの大きいモデルを選んでください。",
  "Nothing was exported: {reason}.": "書き出せませんでした: {reason}",
  "Nothing was imported: the browser's storage is full.": "読み込めませんでした: ブラウザーの保存領域がいっぱいです。",
  "Nothing was imported: {reason}": "読み込めませんでした: {reason}",
  "Nothing was imported: {reason}.": "読み込めませんでした: {reason}",
  "Now": "現在",
  "On the gateway's machine, this command opens the page with its key:": "ゲートウェイのあるマシンでは、次のコマンドがキー付きでこのページを開きます:",
  "Options of {name}": "{name}の操作",
  "Outcome": "結果",
  "Pages": "ページ",
  "Part of the context that is used": "使用中のコンテキストの割合",
  "Pause": "一時停止",
  "Period": "期間",
  "Picture to attach": "添付する写真",
  "Preset": "プリセット",
  "Preset…": "プリセット…",
  "Priority": "優先度",
  "Rate of requests": "リクエストの上限",
  "Rate of tokens": "トークンの上限",
  "Reasoning": "思考",
  "Regenerate with another model": "別のモデルで再生成",
  "Regenerate with…": "別のモデルで再生成…",
  "Remember on this device": "この端末に保存",
  "Remove": "取り除く",
  "Remove {name}": "{name}を取り除く",
  "Rename": "名前を変更",
  "Rename {name}": "{name}の名前を変更",
  "Request": "リクエスト",
  "Requests": "リクエスト",
  "Requests at once": "同時リクエスト数",
  "Requests in each": "リクエストの単位時間",
  "Requests this month": "今月のリクエスト",
  "Requests today": "今日のリクエスト",
  "Requests with it are refused from now on. Those in flight end as usual.": "以後このキーのリクエストは拒否されます。処理中のものは通常どおり終わります。",
  "Result": "結果",
  "Resume": "再開",
  "Revoke": "失効",
  "Revoke {name}": "{name}を失効",
  "Revoke {name}?": "{name}を失効しますか?",
  "Rotate": "更新",
  "Rotate {name}": "{name}を更新",
  "Rotate {name}?": "{name}を更新しますか?",
  "Save as preset…": "プリセットとして保存…",
  "Search": "検索",
  "Search conversations": "会話を検索",
  "Send": "送信",
  "Settings": "設定",
  "Settings of this chat": "このチャットの設定",
  "Show all": "すべて表示",
  "Show all {count}": "{count}件すべて表示",
  "Show more keys": "さらに表示",
  "Side by side with": "並べて比べるモデル",
  "Skip to the message box": "メッセージ欄へ移動",
  "State": "状態",
  "Status": "状態",
  "Stop": "停止",
  "Stopped.": "停止しました。",
  "Streams": "ストリーム",
  "Streams in flight": "処理中のストリーム",
  "Suggestions": "例",
  "Sure?": "よろしいですか?",
  "System prompt": "システムプロンプト",
  "System prompt of this chat": "このチャットのシステムプロンプト",
  "Take a picture": "写真を撮る",
  "Temperature": "温度",
  "The answer broke off before its end.": "回答が途中で切れました。",
  "The answer broke off.": "回答が途切れました。",
  "The answer failed.": "回答に失敗しました。",
  "The answer holds an event that is not JSON.": "回答にJSONでないイベントがあります。",
  "The connection broke before the answer's end.": "回答の途中で接続が切れました。",
  "The conversation was deleted in another tab.": "この会話は別のタブで削除されました。",
  "The file cannot be read: it is gone, or larger than this browser reads at once.": "ファイルを読めません。なくなったか、大きすぎます。",
  "The file is larger than 1 GiB.": "ファイルが1 GiBを超えています。",
  "The file is not JSON.": "ファイルがJSONではありません。",
  "The file is not an export of conversations.": "会話の書き出しファイルではありません。",
  "The gateway answered with status {status}.": "ゲートウェイの応答: ステータス{status}",
  "The gateway cannot be reached. Is it running?": "ゲートウェイに接続できません。起動していますか?",
  "The gateway does not know this key.": "ゲートウェイが知らないキーです。",
  "The key": "キー",
  "The key of": "キーの名前:",
  "The last hour by minute": "直近1時間（分別）",
  "The messages in grey are not sent any more.": "灰色のメッセージは送信されません。",
  "The model refused.": "モデルが拒否しました。",
  "The page failed to show the answer.": "回答を表示できませんでした。",
  "The present key ends": "現在のキーの終了",
  "The preset is not stored: the browser's storage is full or closed.": "プリセットを保存できません。保存領域がいっぱいか、使えません。",
  "There are more: 'headgate key list' shows all of them.": "ほかにもあります。'headgate key list' がすべて表示します。",
  "This conversation is not stored: the browser's storage is full or closed to this page.":
    "この会話は保存されません。ブラウザーの保存領域がいっぱいか、使えません。",
  "This month": "今月",
  "This month by day (UTC)": "今月（日別、UTC）",
  "Time to the first content": "最初の内容までの時間",
  "Together they are too large: at most {count} MiB go with a message.":
    "合計サイズが大きすぎます。1つのメッセージに添付できるのは{count} MiBまでです。",
  "Today": "今日",
  "Tokens": "トークン",
  "Tokens in each": "トークンの単位時間",
  "Tokens this month": "今月のトークン",
  "Tokens today": "今日のトークン",
  "Too long:": "長すぎます:",
  "Took": "所要時間",
  "Tool call:": "ツール呼び出し:",
  "Top-p": "Top-p",
  "Total": "合計",
  "Try again": "再試行",
  "Try again in {count} s.": "{count}秒後に再試行してください。",
  "Undo": "元に戻す",
  "Unit": "単位",
  "Until this tab is closed, all pages of the gateway use the key.": "このタブを閉じるまで、ゲートウェイの全ページがこのキーを使います。",
  "Untitled": "無題",
  "Upstream": "上流",
  "Upstreams": "上流",
  "Usage": "使用量",
  "Use dark colours": "暗い配色にする",
  "Use key": "キーを使う",
  "Use light colours": "明るい配色にする",
  "Version {number} of {count}": "{count}件中{number}件目",
  "Views": "表示",
  "Weight": "重み",
  "What the model is told before the first message": "最初のメッセージの前にモデルへ伝える内容",
  "What would you like to know?": "何を知りたいですか?",
  "With…": "モデル…",
  "Write a Python function that retries with a growing pause.": "間隔を延ばしながら再試行するPython関数を書いてください。",
  "Yesterday": "昨日",
  "You": "あなた",
  "You change a message: what you send becomes another branch.": "メッセージを変更しています。送信すると別の枝になります。",
  "Your conversations are stored in this browser only.": "会話はこのブラウザーだけに保存されます。",
  "Your message goes to the gateway, and from there to the model that you choose.": "メッセージはゲートウェイを通って、選んだモデルに送られます。",
  "a day": "1日に",
  "a minute": "1分に",
  "a month": "1か月に",
  "a second": "1秒に",
  "a week": "1週間に",
  "all": "すべて",
  "all requests": "すべてのリクエスト",
  "an hour": "1時間に",
  "answers": "応答あり",
  "at once": "すぐに",
  "batch, behind all others": "バッチ、ほかのすべての後",
  "breaker open until {time}": "{time}まで遮断",
  "cache": "キャッシュ",
  "choose a model": "モデルを選ぶ",
  "conversations": "会話",
  "default": "既定",
  "dollars": "ドル",
  "expired": "期限切れ",
  "fails its checks": "検査に失敗",
  "first after {time}": "最初まで{time}",
  "free": "無料",
  "group {name}": "グループ{name}",
  "in a day": "1日後",
  "in a week": "1週間後",
  "in an hour": "1時間後",
  "in the configuration": "設定ファイル",
  "latest": "最新",
  "left alone": "休止中",
  "managed": "管理対象",
  "median {time}": "中央値{time}",
  "new chat": "新しいチャット",
  "new line": "改行",
  "no limit": "無制限",
  "no other model": "なし",
  "no request had content yet": "内容のあるリクエストはまだありません",
  "no request yet": "リクエストなし",
  "none": "なし",
  "not known yet": "まだ不明",
  "not listed; use this name": "一覧にない名前を使う",
  "now": "現在",
  "offline": "オフライン",
  "older": "以前",
  "passes its checks": "検査に合格",
  "program failed": "プログラムは失敗",
  "program ready": "プログラムは準備完了",
  "program starting": "プログラムを起動中",
  "program stopped": "プログラムは停止中",
  "program stopping": "プログラムを停止処理中",
  "refused": "拒否",
  "requests": "リクエスト",
  "response": "応答",
  "rotated, both let in": "更新済み、両方有効",
  "send": "送信",
  "stop the answer, or editing": "回答または編集を止める",
  "system prompt": "システムプロンプト",
  "the conversation is longer than the model can read.": "会話がモデルの読める長さを超えています。",
  "this is more than fits into one file": "1つのファイルに収まりません",
  "tiny demo model, English only": "小さな試用モデル（英語のみ）",
  "to the message box": "メッセージ欄へ",
  "today": "今日",
  "tokens": "トークン",
  "tried again": "再試行中",
  "unknown": "不明",
  "unreachable": "到達不能",
  "until {time}": "{time}まで",
  "usable": "使用可",
  "usual": "通常",
  "{amount} of {all} tokens ({part} %)": "{all}トークン中{amount} ({part} %)",
  "{amount} tokens so far": "これまで{amount}トークン",
  "{count} conversations imported.": "{count}件の会話を読み込みました。",
  "{count} conversations were here already.": "{count}件の会話はすでにありました。",
  "{count} prompt tokens": "プロンプト{count}トークン",
  "{count} s ago": "{count}秒前",
  "{count} tokens": "{count}トークン",
  "{count} tokens a second": "毎秒{count}トークン",
  "{count} tokens of context": "コンテキスト{count}トークン",
  "{good} finished, {bad} failed, {warn} other": "完了{good}、失敗{bad}、その他{warn}",
  "{held}, {waiting} waiting": "{held}、待機{waiting}",
  "{hits} of {all}": "{all}中{hits}",
  "{left} left of {all}": "{all}のうち残り{left}",
  "{left} left of {whole}, until {end}": "{whole}のうち残り{left}（{end}まで）",
  "{now} now, {most} at most": "現在{now}、最大{most}",
  "{prompt} in, {completion} out": "入力{prompt}、出力{completion}",
  "{prompt} in, {completion} out per million": "100万あたり入力{prompt}、出力{completion}",
  "{requests} requests, {tokens} tokens": "{requests}リクエスト、{tokens}トークン",
  "{time} ago": "{time}前",
  "{upstream} ({count} attempts)": "{upstream}（試行{count}回）",
  "“{name}” cannot be attached: pictures (PNG, JPEG, WebP, GIF), PDF and text can.":
    "「{name}」は添付できません。画像（PNG、JPEG、WebP、GIF）、PDF、テキストを添付できます。",
  "“{name}” is empty.": "「{name}」は空です。",
  "“{name}” is not in this browser any more: attach it again to a new message.":
    "「{name}」はこのブラウザーにありません。新しいメッセージに添付し直してください。",
  "“{name}” is too large: such a file may have {count} MiB.": "「{name}」は大きすぎます。上限は{count} MiBです。",
  "“{title}” was deleted.": "「{title}」を削除しました。",
  "≥ marks a cost of which a part is unknown, ≈ one that is estimated.": "≥は一部が不明な費用、≈は推定の費用です。",
  "finished": "完了",
  "cancelled": "中断",
  "upstream failed": "上流の失敗",
  "timed out": "時間切れ",
  "shut down": "終了",
  "could not be reached": "接続できませんでした",
  "no secure connection": "安全な接続ができません",
  "refuses the gateway's key": "ゲートウェイのキーを拒否",
  "did not answer in time": "時間内に応答なし",
  "closed the connection without an answer": "応答せずに切断",
  "broke off in the middle of an answer": "応答の途中で切断",
  "sent a stream without content": "内容のないストリーム",
  "is starting": "起動中",
  "cannot run on this machine": "このマシンでは動きません",
  "reported an error": "エラーを報告",
  "answers with a redirection": "リダイレクトで応答",
  "allows no more requests for now": "今は追加のリクエスト不可",
  "{amount} a second": "毎秒{amount}",
  "{amount} a minute": "毎分{amount}",
  "{amount} an hour": "毎時{amount}",
  "{amount} a day": "毎日{amount}",
  "{amount} a week": "毎週{amount}",
  "{amount} a month": "毎月{amount}",
  "{count} requests": "{count}リクエスト",
  "{count} completion tokens": "出力{count}トークン",
  "{count} at once": "同時に{count}",
  "{count} in a burst": "一度に{count}",
  "key": "キー",
  "group": "グループ",
  " this hour": "（この1時間）",
  " today": "（今日）",
  " this week": "（今週）",
  " this month": "（今月）",
  "{sum} this month": "今月{sum}",
  "{sum} in the last hour": "直近1時間{sum}",
  "Requests in flight": "処理中のリクエスト",
  "Finished": "完了",
  "Failed": "失敗",
  "Refused": "拒否",
  "Cancelled": "中断",
  "Up": "稼働時間",
  "Version": "バージョン",
  "From the cache": "キャッシュから",
  "Request id": "リクエストID",
  "Trace id": "トレースID",
  "Operation": "操作",
  "Error": "エラー",
  "Detail": "詳細",
  "Upstream's status": "上流のステータス",
  "Finish reason": "終了の理由",
  "First content": "最初の内容",
  "Prompt tokens": "プロンプトのトークン",
  "Completion tokens": "出力のトークン",
  "Token source": "トークンの出所",
  "Cached tokens": "キャッシュのトークン",
  "Cache": "キャッシュ",
  "After the client left": "クライアント切断後",
  "Hedge": "並行試行",
  "Injected fault": "注入した障害",
  "Cut off: the limit of tokens was reached.": "トークンの上限で切れました。",
  "Cut off: a filter of the provider stopped the answer.": "提供元のフィルターが回答を止めました。",
  "The model refused to go on.": "モデルが続行を拒否しました。",
  "Stopped before the first word.": "最初の語の前に停止しました。",
  "Copied": "コピーしました",
  "Selected": "選択しました",
  "Edit": "編集",
  "Continue": "続ける",
  "Regenerate": "再生成",
  "Earlier version": "前の版",
  "Later version": "次の版",
  "Base URL": "ベースURL",
  "Environment": "環境変数",
  "An app, such as codex or zed": "アプリ（codexやzedなど）",
  "A replay is a new request, with this page's key.": "再実行は、このページのキーで送る新しいリクエストです。",
  "Answer": "回答",
  "As it streamed": "届いた順",
  "As it was sent": "送られたまま",
  "Body": "本文",
  "Copy as curl": "curlとしてコピー",
  "Headers": "ヘッダー",
  "It is not text: {all} bytes.": "テキストではありません（{all}バイト）。",
  "Model of the replay": "再実行のモデル",
  "Only the beginning of {all} bytes is stored.": "{all}バイトのうち先頭だけが保存されています。",
  "Parameters": "パラメーター",
  "Prompt": "プロンプト",
  "Replay": "再実行",
  "Replay with {model}": "{model}で再実行",
  "Sent upstream": "上流への送信",
  "Tools": "ツール",
  "in progress": "進行中",
  "Save as Markdown": "Markdownで保存",
  "Save {name} as Markdown": "{name}をMarkdownで保存",
  "The command": "コマンド",
  "on this device": "この端末",
  "local": "ローカル",
  "cloud": "クラウド",
  "picture": "画像",
  "text": "テキスト",
};
return { japanese };
})();
const module_words = (() => {
// The pages' language: the reader's first one that there is a table for, English otherwise.

const { japanese } = module_words_ja;

/** English is what the pages are written in. Another language is one more table, from the same English texts. */
const tables = new Map([["en", {}], ["ja", japanese]]);

/** Such as "en-GB". */
const locale = navigator.languages.find((name) => tables.has(languageOf(name))) ?? "en";
const table = tables.get(languageOf(locale));

function languageOf(name) {
  return name.split("-")[0];
}

/** A text of the pages in the reader's language; `{name}` in it becomes that one of `values`. */
function t(text, values = {}) {
  const found = Object.hasOwn(table, text) ? table[text] : text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** Translates what the page's markup says. */
function translatePage() {
  document.documentElement.lang = languageOf(locale);
  document.title = t(document.title);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, " ");
    if (Object.hasOwn(table, text)) node.data = t(text);
  }
  for (const name of ["aria-label", "placeholder", "title", "label"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}
return { locale, t, translatePage };
})();
const module_failure = (() => {
// What went wrong, in words for the reader.

const { t } = module_words;

/** As servers say it that have no code for it. */
const tooLong = /prompt is too long|(maximum|exceeds?) .*context|context (size|window) .*exceed|too many tokens/i;

class Failure extends Error {
  /**
   * `status` is 0 when there was none; `retryAfter` is in seconds; `isPassing` says that the same may work a little
   * later.
   */
  constructor(message, { status = 0, code = null, retryAfter = null, isPassing = false } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.isPassing = isPassing;
  }

  /** A word for what the reader can do about it: "too_long", or empty. */
  get kind() {
    const isTooLong = this.code === "context_length_exceeded" || this.status === 413
      || ([0, 400].includes(this.status) && tooLong.test(this.message));
    return isTooLong ? "too_long" : "";
  }

  /** For a request that got no answer. */
  static ofNetwork() {
    return new Failure(t("The gateway cannot be reached. Is it running?"), { isPassing: true });
  }

  /** For an answer with an error status. */
  static async of(response) {
    let error = null;
    try {
      error = JSON.parse(await response.text()).error;
    } catch {
      // A proxy in between may answer with a page of its own.
    }
    const wait = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    return new Failure(textOf(error) ?? t("The gateway answered with status {status}.", { status: response.status }), {
      status: response.status,
      code: typeof error?.code === "string" ? error.code : null,
      retryAfter: Number.isFinite(wait) ? wait : null,
      isPassing: response.status === 429 || response.status >= 500,
    });
  }

  /** For the error object of a stream. */
  static inStream(error) {
    return new Failure(textOf(error) ?? t("The answer broke off."), {
      code: typeof error?.code === "string" ? error.code : null,
    });
  }
}

/** Some servers send several messages, some send the text alone. */
function textOf(error) {
  const message = typeof error === "string" ? error : error?.message;
  if (Array.isArray(message)) return message.filter((part) => typeof part === "string").join(" ") || null;
  return typeof message === "string" && message !== "" ? message : null;
}
return { Failure };
})();
const module_key = (() => {
// The gateway's key, as the pages share it: for this tab, until it is closed, or on this device where the reader wants
// that. An address may bring it as `#key=…`, a part that no browser sends to anybody.

const name = "headgate.key";

/** The key that is kept, or has come with the address; empty when there is none. */
function keptKey() {
  const brought = /^#key=([\x21-\x7e]+)$/.exec(location.hash)?.[1];
  if (brought === undefined) return read(() => sessionStorage) || read(() => localStorage);
  // Neither the history nor a copied address shall hold it.
  history.replaceState(null, "", location.pathname + location.search);
  const key = decoded(brought);
  if (!isKey(key)) return "";
  keepKey(key, isRemembered());
  return key;
}

/** Whether a text may be a key: what else there is in it could not be sent. */
const isKey = (text) => /^[\x21-\x7e]+$/.test(text);

/**
 * The single-use code that the address has brought as `#pair=…`; null without one. Like a key it leaves the address.
 */
function broughtCode() {
  const code = /^#pair=([\w-]{22})$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps it for this tab, and on this device if it is to be remembered. */
function keepKey(key, isToBeRemembered) {
  forgetKey();
  write(() => sessionStorage, key);
  if (isToBeRemembered) write(() => localStorage, key);
}

function forgetKey() {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().removeItem(name);
    } catch {
      // Then it was never kept.
    }
  }
}

const isRemembered = () => read(() => localStorage) !== "";

// A browser may refuse storage altogether: even asking for it may fail.

function read(storage) {
  try {
    return storage().getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage, key) {
  try {
    storage().setItem(name, key);
  } catch {
    // It holds for this page, then.
  }
}
return { keptKey, isKey, broughtCode, keepKey, forgetKey, isRemembered };
})();
const module_access = (() => {
// Requests to the gateway, with its key where it asks for one.

const { find } = module_dom;
const { Failure } = module_failure;
const { broughtCode, forgetKey, isKey, isRemembered, keepKey, keptKey } = module_key;
const { t } = module_words;

let key = keptKey();
/** Why a code that came with the address made no key; empty if none did. */
let problem = "";
/** Ends once a code that came with the address is exchanged for a key. */
const pairing = pair(broughtCode());

/** Exchanges a code for this device's own key, and keeps it here: the code works once. */
async function pair(code) {
  if (code === null) return;
  try {
    const response = await fetch(`/v1/pairings/${code}`, { method: "POST", cache: "no-store", credentials: "omit" });
    if (!response.ok) throw await Failure.of(response);
    key = (await response.json()).key;
    keepKey(key, true);
    showKey();
  } catch (failure) {
    problem = (failure instanceof Failure ? failure : Failure.ofNetwork()).message;
    demandKey(problem);
  }
}

/** A response with a good status; throws a Failure. */
async function ask(path, options = {}) {
  await pairing;
  const headers = { ...options.headers };
  if (key !== "") headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    throw error.name === "AbortError" ? error : Failure.ofNetwork();
  }
  if (response.ok) return response;
  const failure = await Failure.of(response);
  if (failure.status === 401) refuse(headers.Authorization);
  throw failure;
}

/** Another key may have been entered since the one that is refused was sent. */
function refuse(authorization) {
  if (authorization !== undefined && authorization !== `Bearer ${key}`) return;
  demandKey(key === "" ? problem : t("The gateway does not know this key."));
  key = "";
  forgetKey();
  showKey();
}

/** Calls back when a key was entered, or taken back. */
function onKey(entered) {
  showKey();
  find("key-forget").addEventListener("click", () => {
    key = "";
    forgetKey();
    showKey();
    entered();
  });
  find("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = find("key").value.trim();
    if (!isKey(typed)) return demandKey(t("A key has only letters, digits and signs, without spaces."));
    key = typed;
    keepKey(key, find("key-remember").checked);
    find("key").value = "";
    find("key-form").hidden = true;
    showKey();
    entered();
  });
}

/** What is kept can be taken back. */
function showKey() {
  find("key-forget").hidden = key === "";
  find("key-remember").checked = isRemembered();
}

/** Shows where to enter a key. */
function demandKey(notice) {
  const wasHidden = find("key-form").hidden;
  find("key-form").hidden = false;
  find("key-notice").textContent = notice;
  if (wasHidden) find("key").focus();
}
return { ask, onKey, demandKey };
})();
const module_terms = (() => {
// The gateway's terms in words for the reader: outcomes and errors.

const { t } = module_words;

const outcomes = new Map([
  ["finished", "finished"], ["client_gone", "cancelled"], ["upstream_failed", "upstream failed"],
  ["timed_out", "timed out"], ["refused", "refused"], ["drained", "shut down"],
]);

const outcomeOf = (outcome) => (outcomes.has(outcome) ? t(outcomes.get(outcome)) : outcome.replaceAll("_", " "));

const errors = new Map([
  ["upstream_connect", "could not be reached"],
  ["upstream_tls", "no secure connection"],
  ["upstream_auth", "refuses the gateway's key"],
  ["upstream_timeout", "did not answer in time"],
  ["upstream_disconnected", "closed the connection without an answer"],
  ["upstream_incomplete", "broke off in the middle of an answer"],
  ["upstream_no_content", "sent a stream without content"],
  ["upstream_starting", "is starting"],
  ["upstream_unavailable", "cannot run on this machine"],
  ["upstream_error", "reported an error"],
  ["upstream_redirect", "answers with a redirection"],
  ["rate_limit_exceeded", "allows no more requests for now"],
]);

/** Of an error's code; the code itself if there are no words for it. */
const errorOf = (code) => (errors.has(code) ? t(errors.get(code)) : code);
return { outcomeOf, errorOf };
})();
const module_filters = (() => {
// Which requests are shown: of one model, key or outcome. The choice stands in the address, and so outlives a reload.

const { element, find } = module_dom;
const { outcomeOf } = module_terms;

const members = ["model", "key", "outcome"];
/** What was chosen, also while no request is there that has it. */
const chosen = new Map();

/** Calls back when the choice has changed. */
function onFilter(changed) {
  const address = new URLSearchParams(location.search);
  for (const member of members) {
    if (address.has(member)) chosen.set(member, address.get(member));
    find(`only-${member}`).addEventListener("change", (event) => {
      if (event.target.selectedIndex === 0) chosen.delete(member);
      else chosen.set(member, event.target.value);
      const query = new URLSearchParams([...chosen]).toString();
      history.replaceState(null, "", (query === "" ? location.pathname : `?${query}`) + location.hash);
      changed();
    });
  }
}

/** The requests that are wanted; offers what there is to choose from. */
function filtered(requests) {
  for (const member of members) offer(find(`only-${member}`), member, requests);
  return requests.filter((request) =>
    members.every((member) => !chosen.has(member) || request[member] === chosen.get(member)));
}

const isFiltered = () => chosen.size > 0;

function offer(list, member, requests) {
  const values = new Set(requests.map((request) => request[member]).filter((value) => value !== undefined));
  if (chosen.has(member)) values.add(chosen.get(member));
  const sorted = [...values].sort();
  const shown = [...list.options].slice(1).map((option) => option.value);
  // An open list is not to change under the reader's hand without need.
  if (sorted.join("\n") !== shown.join("\n")) {
    const options = sorted.map((value) =>
      element("option", { value }, member === "outcome" ? outcomeOf(value) : value));
    list.replaceChildren(list.options[0], ...options);
  }
  const wanted = chosen.has(member) ? sorted.indexOf(chosen.get(member)) + 1 : 0;
  if (list.selectedIndex !== wanted) list.selectedIndex = wanted;
}
return { onFilter, filtered, isFiltered };
})();
const module_icons = (() => {
// The pages' own icons: paths on a grid of 20 by 20, drawn with a stroke of the text's colour.

const { shape } = module_dom;

const paths = new Map([
  ["gate", "M3 4h14M5 4v13M15 4v13M5 9h10M5 13h10"],
  ["chat",
    "M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5z"],
  ["status", "M2 11h4l2-6 4 11 2-5h4"],
  ["key", "M12.5 11.5a4 4 0 1 0-3.4-1.9L3 15.7V17h3v-2h2v-2h1.5l1.4-1.6M13.5 6.5h.01"],
  ["usage", "M3 3v14h14M7 14v-4M11 14V6M15 14v-6"],
  ["docs", "M4 4.5A1.5 1.5 0 0 1 5.5 3H16v11H5.5A1.5 1.5 0 0 0 4 15.5zM4 15.5A1.5 1.5 0 0 0 5.5 17H16v-3"],
  ["sun", "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    + "M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"],
  ["moon", "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z"],
  ["leave", "M8 4H4v12h4M12 6l4 4-4 4M16 10H8"],
  ["menu", "M3 5h14v10H3zM8 5v10"],
  ["plus", "M10 4v12M4 10h12"],
  ["more", "M4.5 10h.01M10 10h.01M15.5 10h.01"],
  ["edit", "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.5 6l2.6 2.6"],
  ["delete", "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6"],
  ["copy", "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z"],
  ["check", "M4 10.5l4 4 8-9"],
  ["again", "M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5"],
  ["forward", "M5 4l6 6-6 6M11 4l6 6-6 6"],
  ["send", "M10 16V4M4.5 9.5L10 4l5.5 5.5"],
  ["stop", "M6 6h8v8H6z"],
  ["attach", "M15.5 9.5l-5.8 5.8a3.5 3.5 0 0 1-5-5l6.3-6.3a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3"],
  ["camera", "M3 6.5h3L7.5 4h5L14 6.5h3V16H3zM10 8.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4"],
  ["settings", "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4"],
  ["close", "M5 5l10 10M15 5L5 15"],
  ["down", "M5 8l5 5 5-5"],
  ["left", "M12 5l-5 5 5 5"],
  ["right", "M8 5l5 5-5 5"],
  ["info", "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9v5M10 6.3h.01"],
  ["file", "M5 3h7l4 4v10H5zM12 3v4h4"],
]);

function icon(name) {
  return shape("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    shape("path", { d: paths.get(name) }));
}

/** Draws the icons that the page names in its markup. */
function placeIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.replaceChildren(icon(node.dataset.icon));
}
return { icon, placeIcons };
})();
const module_clipboard = (() => {
// Copies a text, and says so on the button that was pressed.

const { icon } = module_icons;
const { t } = module_words;

/** `shown` is selected if the browser denies the page the clipboard. */
async function copy(text, button, shown) {
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers deny it to pages that came without TLS, except over loopback.
    const node = shown();
    if (node.select) node.select();
    else getSelection().selectAllChildren(node);
    said = "Selected";
  }
  const before = [...button.childNodes];
  const { ariaLabel } = button;
  // A button with an icon has its name as a label.
  if (ariaLabel === null) button.textContent = t(said);
  else {
    button.ariaLabel = t(said);
    button.replaceChildren(icon("check"));
  }
  clearTimeout(button.copying?.timer);
  button.copying ??= { before, ariaLabel };
  button.copying.timer = setTimeout(() => {
    button.replaceChildren(...button.copying.before);
    button.ariaLabel = button.copying.ariaLabel;
    delete button.copying;
  }, 2000);
}
return { copy };
})();
const module_figures = (() => {
// Numbers and times as the pages write them, in the reader's language.

const { locale, t } = module_words;

const whole = (value) => value.toLocaleString(locale);

const clock = (time) => new Date(time).toLocaleTimeString(locale, { hourCycle: "h23" });

/** A day of the ledger, such as "2026-08-01". */
const day = (name) =>
  new Date(name).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });

/** With as few digits as say something. */
function dollars(value) {
  if (value === 0) return "$0";
  const digits = value >= 1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(value)));
  const bounds = { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits };
  return `$${value.toLocaleString(locale, bounds)}`;
}

function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

function span(seconds) {
  const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const first = Math.max(0, units.findIndex(([, size]) => seconds >= size));
  const found = seconds < 1 ? [["second", 0]] : units.slice(first, first + 2).map(([unit, size], index) =>
    [unit, Math.floor((index === 0 ? seconds : seconds % units[first][1]) / size)]);
  return found.filter(([, count], index) => index === 0 || count > 0)
    .map(([unit, count]) => count.toLocaleString(locale, { style: "unit", unit, unitDisplay: "short" })).join(" ");
}

/** Such as "4 min ago". */
function ago(time) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time)) / 1000));
  const size = [86_400, 3600, 60, 1].find((one) => seconds >= one) ?? 1;
  return t("{time} ago", { time: span(seconds - (seconds % size)) });
}
return { whole, clock, day, dollars, milliseconds, span, ago };
})();
const module_key_words = (() => {
// Budgets and limits of a key as people write them: "$5 a month", "60 requests a minute".

const { dollars, whole } = module_figures;
const { locale, t } = module_words;

const rates = new Map([["s", "{amount} a second"], ["m", "{amount} a minute"], ["h", "{amount} an hour"],
  ["d", "{amount} a day"]]);
const periods = new Map([["hour", "{amount} an hour"], ["day", "{amount} a day"], ["week", "{amount} a week"],
  ["month", "{amount} a month"]]);
const units = new Map([["requests", "{count} requests"], ["tokens", "{count} tokens"],
  ["input_tokens", "{count} prompt tokens"], ["output_tokens", "{count} completion tokens"],
  ["in_flight", "{count} at once"], ["burst", "{count} in a burst"]]);

/** Of the member `limits` of a key. */
function limitsIn(limits = {}) {
  return Object.entries(limits).flatMap(([name, values]) => [values].flat().map((value) => limitIn(name, value)))
    .join(", ");
}

function limitIn(name, value) {
  const unit = units.get(name);
  // A newer gateway may know other ones.
  if (unit === undefined) return `${name}: ${value}`;
  const [, count, per] = /^(.+)\/([smhd])$/.exec(value) ?? [null, value, null];
  const amount = t(unit, { count: amountIn(count) });
  return per === null ? amount : t(rates.get(per), { amount });
}

/** "200k" and "5M" in figures. */
function amountIn(text) {
  const [, digits, scale] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return digits === undefined ? text : whole(Number(digits) * ({ k: 1000, M: 1_000_000 }[scale] ?? 1));
}

/** Of the members `budget` and `budget_use` of a key: `{text, meter}`, where there is a budget. */
function budgetIn(budget, use) {
  const { amount, unit, every, used, until } = use ?? { amount: budget.usd ?? budget.tokens,
    unit: budget.usd === undefined ? "tokens" : "usd", every: budget.every };
  const written = (value) => (unit !== "usd" ? t("{count} tokens", { count: amountIn(String(value)) })
    : dollars(Number(value)));
  const whole = t(periods.get(every) ?? "{amount}", { amount: written(amount) });
  if (used === undefined) return { text: whole, meter: undefined };
  const end = Number.isNaN(Date.parse(until)) ? until
    : new Date(until).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  return { meter: used / amount, text: t("{left} left of {whole}, until {end}",
    { left: written(Math.max(0, amount - used)), whole, end }) };
}

/** What a form's fields say, as `POST /v1/admin/keys` takes it; what is wrong in it, the gateway finds. */
function settingsIn(field) {
  const names = field("models").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const limits = {};
  for (const name of ["requests", "tokens"]) {
    const amount = plain(field(name));
    if (amount !== "") limits[name] = amount.includes("/") ? amount : `${amount}/${field(`${name}-every`)}`;
  }
  if (field("in_flight") !== "") limits.in_flight = Number(field("in_flight"));
  const wanted = { name: field("name") };
  if (names.length > 0) wanted.models = names;
  if (Object.keys(limits).length > 0) wanted.limits = limits;
  const amount = plain(field("budget")).replace(/^\$/, "");
  const unit = field("budget").startsWith("$") ? "usd" : field("budget-unit");
  if (amount !== "") {
    wanted.budget = { [unit]: /^\d+$/.test(amount) ? Number(amount) : amount, every: field("budget-every") };
  }
  for (const name of ["group", "priority", "expires"]) if (field(name) !== "") wanted[name] = field(name);
  return wanted;
}

/** Without the signs that people put between digits: "200,000". */
const plain = (text) => text.replace(/(?<=\d)[ ,_'](?=\d{3})/g, "");
return { limitsIn, budgetIn, settingsIn };
})();
const module_key_use = (() => {
// How to use a new key: addresses and commands with the key in them, each with a button that copies it.

const { copy } = module_clipboard;
const { element, find } = module_dom;
const { t } = module_words;

/** JSON for a shell's single quotes: names of models are an upstream's words. */
const inQuotes = (value) => JSON.stringify(value).replaceAll("'", "\\u0027");

/** Shows it; nothing is left of the key once `hideUse` was called. */
function showUse(key) {
  const base = location.origin;
  const model = find("known-models").firstElementChild?.value ?? "MODEL";
  const ways = [
    ["Base URL", `${base}/v1`],
    ["Environment", [`export OPENAI_BASE_URL=${base}/v1`, `export OPENAI_API_KEY=${key}`,
      `export ANTHROPIC_BASE_URL=${base}`, `export ANTHROPIC_API_KEY=${key}`].join("\n")],
    ["curl", [`curl ${base}/v1/chat/completions -H 'Authorization: Bearer ${key}' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '${inQuotes({ model, messages: [{ role: "user", content: "Say hello." }] })}'`].join("\n")],
    ["An app, such as codex or zed", `HEADGATE_KEY=${key} headgate setup codex --url ${base} --write`],
  ];
  find("made-use").replaceChildren(...ways.map(([name, text]) => {
    const shown = element("pre", { tabindex: 0, role: "group", "aria-label": t(name) }, text);
    const button = element("button", { type: "button", click: () => copy(text, button, () => shown) }, t("Copy"));
    return element("div", {}, element("dt", {}, t(name)), element("dd", {}, shown, button));
  }));
}

const hideUse = () => find("made-use").replaceChildren();
return { showUse, hideUse };
})();
const module_rows = (() => {
// Tables and lists that are shown again and again: what has not changed stays the same node, with what the reader has
// selected in it.

const { element } = module_dom;

/**
 * Shows these rows and no others, in this order: `{key, title, style, cells: [{text, style, act, label, meter}]}`,
 * known again by their keys. The text of a cell with `act` is a button that calls it, and is read out as `label`;
 * `meter` is the part of a bar below the text that is full.
 */
function showRows(body, rows) {
  const labels = [...body.closest("table")?.tHead?.rows[0].cells ?? []].map((cell) => cell.textContent);
  show(body, rows, (row) => emptyRow(row, labels), (node, { cells }) => {
    for (const [place, { text, style = "", act, label, meter }] of cells.entries()) {
      const cell = node.children[place];
      setText(act || meter !== undefined ? cell.firstChild : cell, text);
      if (act) {
        cell.firstChild.onclick = act;
        if (cell.firstChild.ariaLabel !== label) cell.firstChild.ariaLabel = label;
      }
      if (meter !== undefined) cell.lastChild.value = meter;
      // What is too long for its column ends in dots.
      if (style === "name" && cell.title !== text) cell.title = text;
      if (cell.className !== style) cell.className = style;
    }
  });
}

/** The same for a list: `{key, parts: [{text, style}], meter}`. */
function showItems(list, items) {
  const empty = ({ key, parts, meter }) => element("li", { "data-key": key }, ...parts.map(() => element("span")),
    meter === undefined ? null : element("meter", { max: 1, "aria-label": parts[0].text }));
  show(list, items, empty, (node, { parts, meter }) => {
    for (const [place, { text, style = "" }] of parts.entries()) {
      setText(node.children[place], text);
      if (node.children[place].className !== style) node.children[place].className = style;
    }
    if (meter !== undefined) node.lastChild.value = meter;
  });
}

function show(place, given, empty, fill) {
  const rows = numbered(given);
  const keys = new Set(rows.map(({ key }) => key));
  const known = new Map([...place.children].map((node) => [node.dataset.key, node]));
  for (const [key, node] of known) if (!keys.has(key)) node.remove();
  for (const [index, row] of rows.entries()) {
    const node = known.get(row.key) ?? empty(row);
    fill(node, row);
    if (row.title && node.title !== row.title) node.title = row.title;
    if (row.style !== undefined && node.className !== row.style) node.className = row.style;
    if (place.children[index] !== node) place.insertBefore(node, place.children[index] ?? null);
  }
}

/** The roles are said because a narrow page shows rows as blocks, each cell with its label. */
function emptyRow({ key, cells }, labels) {
  return element("tr", { "data-key": key, role: "row" }, ...cells.map(({ act, meter, text }, place) =>
    element("td", { role: "cell", "data-label": labels[place] },
      act ? element("button", { type: "button", class: "quiet" }) : meter === undefined ? null : element("span"),
      meter === undefined ? null : element("meter", { max: 1, "aria-label": text }))));
}

/** Keys that repeat are numbered, from the last row as the oldest: a client may give all its requests the same id. */
function numbered(rows) {
  const seen = new Map();
  return [...rows].reverse().map((row) => {
    const count = (seen.get(row.key) ?? 0) + 1;
    seen.set(row.key, count);
    return count === 1 ? row : { ...row, key: `${row.key} ${count}` };
  }).reverse();
}

/** Leaves a text alone that is there already. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
return { showRows, showItems, setText };
})();
const module_keys_view = (() => {
// The client keys: who is let in, and the dialogs that make, rotate and revoke them. A new key is shown once, and
// leaves the page with its dialog.

const { ask } = module_access;
const { copy } = module_clipboard;
const { element, find } = module_dom;
const { budgetIn, limitsIn, settingsIn } = module_key_words;
const { hideUse, showUse } = module_key_use;
const { setText, showRows } = module_rows;
const { locale, t } = module_words;

/** Between two queries, in milliseconds. */
const interval = 5000;
/** Of one response. */
const mostKeys = 1000;
const path = "/v1/admin/keys";
let askedAt = -Infinity;
let queries = 0;
let limit = 100;

/** Queries again when it is time to. */
async function showKeys() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  const query = ++queries;
  try {
    const list = await (await ask(`${path}?limit=${limit}`)).json();
    // A later one, after a change, knows more.
    if (query !== queries) return;
    showRows(find("keys-rows"), list.data.map(row));
    find("keys-shown").hidden = false;
    find("keys-more").hidden = !list.has_more || limit === mostKeys;
    notice(list.has_more && limit === mostKeys ? t("There are more: 'headgate key list' shows all of them.") : "");
  } catch (failure) {
    notice(failure.message);
  }
}

function again() {
  askedAt = -Infinity;
  return showKeys();
}

function notice(text) {
  setText(find("keys-notice"), text);
  find("keys-notice").hidden = text === "";
}

function row(key) {
  const isOver = key.is_expired || key.problem;
  const cells = [
    { text: key.name, style: "name" },
    { text: state(key) + (key.admin ? t(", admin") : ""), style: `mark ${isOver ? "bad" : "good"}` }, budget(key),
    { text: [key.group ? t("group {name}", { name: key.group }) : "", limitsIn(key.limits),
      key.priority === "batch" ? t("batch, behind all others") : ""].filter(Boolean).join(", ") },
    { text: key.models.join(", ") || t("all") }, { text: date(key.expires) },
  ];
  const actions = key.managed
    ? [{ text: t("Rotate"), act: () => rotate(key.name), label: t("Rotate {name}", { name: key.name }) },
       { text: t("Revoke"), act: () => revoke(key.name), label: t("Revoke {name}", { name: key.name }) }]
    : [{ text: "" }, { text: "" }];
  const kind = `${key.managed ? "managed" : "configured"} ${cells[2].meter === undefined ? "" : "counted"}`;
  return { key: `${kind} ${key.name}`, title: key.problem, cells: [...cells, ...actions] };
}

const date = (time) => (time === null ? "" : Number.isNaN(Date.parse(time)) ? time
  : new Date(time).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" }));

function state(key) {
  if (key.problem) return t("refused");
  if (key.is_expired) return t("expired");
  if (key.former_until !== null) return t("rotated, both let in");
  return key.managed ? t("managed") : t("in the configuration");
}

function budget(key) {
  return key.budget === undefined && key.budget_use === undefined ? { text: "" } : budgetIn(key.budget, key.budget_use);
}

// Making one

function wish(form) {
  const wanted = settingsIn((name) => form.elements[name].value.trim());
  return form.elements.admin.checked ? { ...wanted, admin: true } : wanted;
}

async function offerModels() {
  const names = (await (await ask("/v1/models")).json()).data.map(({ id }) => id);
  find("known-models").replaceChildren(...names.map((value) => element("option", { value })));
}

const post = (place, body) =>
  ask(place, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

function complain(dialog, text) {
  setText(dialog.querySelector("[role=alert]"), text);
}

/** Does what a dialog asks for; it stays open where that fails. */
async function submit(dialog, act) {
  const buttons = dialog.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  complain(dialog, "");
  try {
    const made = await (await act()).json();
    dialog.close();
    if (made.key) showMade(made);
  } catch (failure) {
    complain(dialog, failure.message);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  await again();
}

function showMade({ name, key }) {
  setText(find("made-name"), name);
  find("made-key").value = key;
  showUse(key);
  find("key-made").showModal();
  find("made-key").select();
}

function forgetMade() {
  find("made-key").value = "";
  hideUse();
}

// Ending one

let sure = null;

function open(dialog) {
  complain(dialog, "");
  dialog.showModal();
}

function rotate(name) {
  sure = () => post(`${path}/${encodeURIComponent(name)}/rotate`, graceOf(find("sure-grace").value));
  ready(t("Rotate {name}?", { name }), t("It gets another key. Name, limits and what was made with it stay."),
    t("Rotate"), true);
}

const graceOf = (value) => (value === "" ? {} : { grace: value });

function revoke(name) {
  sure = () => ask(`${path}/${encodeURIComponent(name)}`, { method: "DELETE" });
  ready(t("Revoke {name}?", { name }), t("Requests with it are refused from now on. Those in flight end as usual."),
    t("Revoke"), false);
}

function ready(title, text, action, hasGrace) {
  setText(find("sure-title"), title);
  setText(find("sure-text"), text);
  setText(find("sure-act"), action);
  find("sure-grace-line").hidden = !hasGrace;
  open(find("key-sure"));
  find("sure-cancel").focus();
}

find("key-add").addEventListener("click", () => {
  find("new-key-form").reset();
  open(find("new-key"));
  // Without the list a name can be written all the same.
  offerModels().catch(() => {});
});
find("new-key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  submit(find("new-key"), () => post(path, wish(event.target)));
});
find("new-key-cancel").addEventListener("click", () => find("new-key").close());
find("sure-form").addEventListener("submit", (event) => {
  event.preventDefault();
  submit(find("key-sure"), sure);
});
find("sure-cancel").addEventListener("click", () => find("key-sure").close());
find("made-close").addEventListener("click", () => {
  // The event of the end comes a moment after it.
  forgetMade();
  find("key-made").close();
});
find("key-made").addEventListener("close", forgetMade);
find("made-copy").addEventListener("click", () => 
  copy(find("made-key").value, find("made-copy"), () => find("made-key")));
find("keys-more").addEventListener("click", () => {
  limit = mostKeys;
  again();
});
return { showKeys };
})();
const module_charts = (() => {
// Small charts of bars, with axes. The value of a bar is shown when the pointer is on it, or an arrow key leads there.

const { element, shape } = module_dom;
const { milliseconds, whole } = module_figures;
const { setText } = module_rows;
const { outcomeOf } = module_terms;
const { t } = module_words;

const [width, height] = [300, 100];
const longest = 60;
/** Streams in flight, as often as the page has asked. */
const streams = [];
/** Of each chart, by its figure: the bars that it shows, and which of them is looked at. */
const states = new WeakMap();

function showCharts(place, status) {
  streams.push(status.streams_in_flight);
  if (streams.length > longest) streams.shift();
  const requests = status.recent.slice(0, longest).reverse();
  const first = requests.map((request) => request.ttft_ms).filter((value) => value !== undefined);
  const age = (index, list) => t("{count} s ago", { count: list.length - 1 - index });
  const named = (request) => request.model ?? request.operation;
  showChart(place, 0, { title: t("Streams in flight"), format: whole, from: t("{count} s ago", { count: longest }),
    to: t("now"), sentence: t("{now} now, {most} at most", { now: streams.at(-1), most: Math.max(...streams) }),
    bars: streams.map((value, index) => ({ value, label: age(index, streams) })) });
  showChart(place, 1, { title: t("Time to the first content"), format: milliseconds, from: t("older"), to: t("latest"),
    sentence: first.length === 0 ? t("no request had content yet")
      : t("median {time}", { time: milliseconds(median(first)) }),
    bars: requests.map((request) => ({ value: request.ttft_ms ?? 0, label: named(request) })) });
  showChart(place, 2, { title: t("Duration by outcome"), format: milliseconds, from: t("older"), to: t("latest"),
    sentence: outcomes(requests), bars: requests.map((request) => ({ value: request.duration_ms,
      kind: kindOf(request.outcome), label: `${named(request)}, ${outcomeOf(request.outcome)}` })) });
}

/**
 * Draws a chart of a place anew: `{title, sentence, bars, format, from, to, room}`, each bar `{value, kind, label}`.
 * `from` and `to` are the ends of the lower axis, with room for `room` bars; `format` writes a value.
 */
function showChart(place, index, chart) {
  const figure = place.children[index] ?? place.appendChild(frame(chart.title));
  const state = states.get(figure);
  state.chart = chart;
  state.top = Math.max(...chart.bars.map(({ value }) => value), 0);
  const [caption, plot] = figure.children;
  const [most, picture, none, ends] = plot.children;
  setText(caption.lastChild, chart.sentence);
  picture.setAttribute("aria-label", `${chart.title}: ${chart.sentence}`);
  setText(most, state.top === 0 ? "" : chart.format(state.top));
  setText(none, chart.format(0));
  setText(ends.firstChild, chart.from);
  setText(ends.lastChild, chart.to);
  picture.replaceChildren(...[0.5, height / 2, height - 0.5].map((y) =>
    shape("line", { class: "axis", x1: 0, x2: width, y1: y, y2: y })), ...rectangles(chart, state.top));
  look(figure, state.at);
}

/** A chart without what changes. */
function frame(title) {
  const move = ({ key }) => {
    const { at, chart } = states.get(figure);
    const last = chart.bars.length - 1;
    if (key === "ArrowLeft") look(figure, Math.max(0, (at ?? last + 1) - 1));
    if (key === "ArrowRight") look(figure, Math.min(last, (at ?? last - 1) + 1));
  };
  const point = ({ offsetX }) => {
    const { chart } = states.get(figure);
    const { bars, room = longest } = chart;
    look(figure, Math.floor((offsetX / picture.clientWidth) * room) - (room - bars.length));
  };
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    tabindex: 0, keydown: move, pointermove: point, pointerleave: () => look(figure, null),
    blur: () => look(figure, null) });
  const figure = element("figure", {},
    element("figcaption", {}, element("strong", {}, title), " ", element("span", { class: "faint" })),
    element("div", { class: "plot" }, element("span", { class: "most" }), picture, element("span", { class: "none" }),
      element("span", { class: "ends" }, element("span"), element("span"))),
    element("output", { class: "value" }));
  states.set(figure, { at: null });
  return figure;
}

/** Shows the value of a bar; of none where there is no such bar. */
function look(figure, at) {
  const state = states.get(figure);
  const bar = at === null ? undefined : state.chart.bars[at];
  state.at = bar === undefined ? null : at;
  setText(figure.lastChild, bar === undefined ? "" : `${bar.label}: ${state.chart.format(bar.value)}`);
  const drawn = figure.querySelectorAll("rect");
  for (const [index, rectangle] of drawn.entries()) rectangle.classList.toggle("looked", index === state.at);
}

function rectangles({ bars, room = longest }, top) {
  const step = width / room;
  return bars.map(({ value, kind = "good" }, index) => {
    const size = Math.max(value > 0 ? 2 : 0, top === 0 ? 0 : (value / top) * (height - 4));
    return shape("rect", { class: `bar ${kind}`, x: (index + room - bars.length) * step + 0.5, width: step - 1,
      y: height - 1 - size, height: size });
  });
}

const kindOf = (outcome) => ({ finished: "good", upstream_failed: "bad", timed_out: "bad" })[outcome] ?? "warn";

function outcomes(requests) {
  const counts = { good: 0, bad: 0, warn: 0 };
  for (const request of requests) counts[kindOf(request.outcome)] += 1;
  return t("{good} finished, {bad} failed, {warn} other", counts);
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
return { showCharts, showChart };
})();
const module_money_view = (() => {
// What requests have cost: today and this month in sums, by key and by model, with the charts behind them. The gateway
// stores it, over restarts too.

const { ask } = module_access;
const { showChart } = module_charts;
const { find } = module_dom;
const { clock, day: dayOf, dollars, whole } = module_figures;
const { setText, showRows } = module_rows;
const { t } = module_words;

/** Between two queries, in milliseconds: the response is a sum over all of the month's requests. */
const interval = 30_000;
/** Rows of the short tables. */
const most = 4;
let askedAt = -Infinity;

/** Queries again when it is time to. */
async function showMoney() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  try {
    // One after the other: the gateway answers few of these at once.
    const keys = [await usage("key", today()), await usage("key", month())];
    showTotals(...keys.map(sumOf));
    showSums("keys", ...keys);
    showSums("models", await usage("model", today()), await usage("model", month()));
    showDays(find("days"), await usage("day", since(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth()))));
    showHour(find("hour"), await usage("minute", "60m"));
    notice("");
  } catch (failure) {
    // A gateway without a ledger was configured so.
    if (failure.status === 404) askedAt = Infinity;
    notice(failure.message);
  }
}

async function usage(by, since) {
  return (await (await ask(`/v1/usage?by=${by}&since=${since}`)).json()).rows;
}

const today = () => since(new Date(new Date().setHours(0, 0, 0, 0)));
const month = () => since(new Date(new Date().getFullYear(), new Date().getMonth(), 1));
const since = (begin) => `${Math.max(1, Math.ceil((Date.now() - begin) / 1000))}s`;

function notice(text) {
  for (const [place, shown] of [["usage-notice", "usage-shown"], ["money-notice", "money"]]) {
    find(shown).hidden = text !== "";
    setText(find(place), text);
    find(place).hidden = text === "";
  }
}

function sumOf(rows) {
  const add = (name) => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  const names = ["requests", "prompt_tokens", "completion_tokens", "cost_usd", "cost_unknown_requests",
    "estimated_requests"];
  const sum = Object.fromEntries(names.map((name) => [name, add(name)]));
  // A sum of which nothing is known is not 0.
  if (rows.length > 0 && rows.every((row) => row.cost_usd === null)) sum.cost_usd = null;
  return sum;
}

const tokens = (row) => row.prompt_tokens + row.completion_tokens;

function showTotals(day, month) {
  for (const [name, sum] of [["today", day], ["month", month]]) {
    setText(find(name), cost(sum));
    setText(find(`${name}-use`), t("{requests} requests, {tokens} tokens",
      { requests: whole(sum.requests), tokens: whole(tokens(sum)) }));
  }
}

/** The row with the total stands last, also where only the dearest are shown. */
function showSums(name, day, month) {
  const days = new Map(day.map((row) => [row.name, row]));
  const dear = (row) => row.cost_usd ?? -1;
  const sorted = [...month].sort((one, other) => dear(other) - dear(one) || other.requests - one.requests);
  const rows = sorted.map((row) =>
    ({ name: row.name === "" ? t("none") : row.name, day: days.get(row.name), month: row }));
  const total = { name: t("Total"), day: sumOf(day), month: sumOf(month), isTotal: true };
  const rowOf = (cells) => (row) => ({ key: row.isTotal ? "" : `- ${row.name}`, style: row.isTotal ? "total" : "",
    cells: [{ text: row.name, style: "name" }, ...cells(row).map((text) => ({ text, style: "number" }))] });
  const costOf = (row) => (row === undefined ? "" : cost(row));
  showRows(find(`top-${name}`),
    [...rows.slice(0, most), total].map(rowOf((row) => [costOf(row.day), costOf(row.month)])));
  showRows(find(`usage-${name}`), [...rows, total].map(rowOf((row) => [...sums(row.day), ...sums(row.month)])));
}

const sums = (row) => (row === undefined ? ["", "", ""] : [cost(row), whole(row.requests), whole(tokens(row))]);

/** With a sign if some of it is not known, or estimated. */
function cost({ cost_usd: known, cost_unknown_requests: unknown, estimated_requests: estimated }) {
  if (known === null) return t("unknown");
  const sign = unknown > 0 ? "\u2265 " : estimated > 0 ? "\u2248 " : "";
  return `${sign}${dollars(known)}`;
}

const kinds = [
  ["Cost", (row) => row?.cost_usd ?? 0, dollars],
  ["Requests", (row) => row?.requests ?? 0, whole],
  ["Tokens", (row) => (row ? tokens(row) : 0), whole],
];

/** One bar for each day of the month until today, by the ledger's days. */
function showDays(place, rows) {
  const named = new Map(rows.map((row) => [row.name, row]));
  const days = Array.from({ length: new Date().getUTCDate() }, (_, index) =>
    new Date(Date.now() - index * 86_400_000).toISOString().slice(0, 10)).reverse();
  const bars = days.map((name) => ({ label: dayOf(name), row: named.get(name) }));
  showPeriod(place, bars, { room: Math.max(days.length, 7), from: dayOf(days[0]), to: t("today") },
    "{sum} this month");
}

/** One bar for each minute, the present one last. */
function showHour(place, rows) {
  const now = Math.floor(Date.now() / 60_000);
  const named = new Map(rows.map((row) => [Math.floor(Date.parse(row.name) / 60_000), row]));
  const bars = Array.from({ length: 60 }, (_, index) => now - 59 + index).map((minute) =>
    ({ label: clock(minute * 60_000).slice(0, 5), row: named.get(minute) }));
  showPeriod(place, bars, { from: bars[0].label, to: t("now") }, "{sum} in the last hour");
}

function showPeriod(place, bars, ends, sentence) {
  for (const [index, [title, valueOf, format]] of kinds.entries()) {
    const values = bars.map(({ label, row }) => ({ label, value: valueOf(row) }));
    const sum = format(values.reduce((all, { value }) => all + value, 0));
    showChart(place, index, { ...ends, title: t(title), format, bars: values, sentence: t(sentence, { sum }) });
  }
}
return { showMoney };
})();
const module_rail = (() => {
// What all pages begin with: their language, their icons, and the mark at the page that is shown.

const { placeIcons } = module_icons;
const { translatePage } = module_words;

function startPage() {
  translatePage();
  placeIcons();
  markPage();
  addEventListener("hashchange", markPage);
}

/** Two links lead to views of one page: the one that says more of the address counts. */
function markPage() {
  const links = [...document.querySelectorAll(".rail a")];
  const exact = links.find((link) => link.pathname === location.pathname && link.hash === location.hash);
  const shown = exact ?? links.find((link) => link.pathname === location.pathname);
  for (const link of links) {
    if (link === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
return { startPage };
})();
const module_events = (() => {
// Server-Sent Events out of a response's bytes, by the rules of the HTML standard.

/** The events of a body, each `{type, data, id}`. Ends with the body; an event without its blank line is dropped. */
async function* events(body) {
  const reader = body.getReader();
  // Keeps what is left of a character that is split over two pieces.
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield* parser.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

class EventParser {
  #rest = "";
  #type = "";
  #data = [];
  #id = "";

  /** The events that are complete with this text. */
  push(text) {
    // A carriage return at the very end may be the first half of a line break.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#take(line)).filter((event) => event !== null);
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id") this.#id = value;
    return null;
  }

  #dispatch() {
    const event = this.#data.length > 0 ? { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id }
      : null;
    this.#type = "";
    this.#data = [];
    return event;
  }
}
return { events, EventParser };
})();
const module_inspected_text = (() => {
// The content of an inspected request, read out of its bytes: any API's request, and any API's answer.

const { EventParser } = module_events;

/** Characters that reorder or hide what is around them. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const code = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;

/** The text with such characters written out, as JSON does. */
const visible = (text) => text.replace(invisible, code);

/** A document, or the value of its beginning if it is cut; null if it is not JSON. */
function parsed({ text, cut }) {
  for (const candidate of cut ? closings(text) : [text]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may do.
    }
  }
  return null;
}

/** Ways to end a JSON document that is cut anywhere. */
function closings(text) {
  const open = [];
  let whole = { end: 0, closers: "" };
  const mark = (end) => {
    whole = { end, closers: open.toReversed().join("") };
  };
  for (let at = 0, isInString = false; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === ",") mark(at);
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      mark(at + 1);
    } else if (character === "}" || character === "]") open.pop();
  }
  const closers = open.toReversed().join("");
  const unescaped = text.replace(/\\[^"\\]{0,5}$/, "");
  return [`${text}"${closers}`, `${unescaped}"${closers}`, text + closers, text.slice(0, whole.end) + whole.closers];
}

const list = (value) => (Array.isArray(value) ? value : []);
const isObject = (value) => typeof value === "object" && value !== null;

/** Members of requests that are not parameters. */
const said = new Set(["messages", "input", "prompt", "system", "instructions", "tools", "functions"]);

/** What a request says: `{messages: [{role, text}], tools: [{name, text}], parameters: [[name, value]]}`. */
function promptOf(request) {
  if (!isObject(request)) return { messages: [], tools: [], parameters: [] };
  const { input, prompt } = request;
  const first = [request.system, request.instructions].filter((text) => text !== undefined && text !== null)
    .map((content) => ({ role: "system", content }));
  const alone = [prompt, Array.isArray(input) ? undefined : input]
    .filter((text) => text !== undefined && text !== null).map((content) => ({ role: "user", content }));
  const messages = [...first, ...list(request.messages), ...(Array.isArray(input) ? input : []), ...alone];
  return {
    messages: messages.map((message) => ({ role: roleOf(message), text: textOf(message) })),
    tools: [...list(request.tools), ...list(request.functions)].map((tool) =>
      ({ name: String(tool?.function?.name ?? tool?.name ?? tool?.type ?? "?"), text: written(tool) })),
    parameters: Object.entries(request).filter(([name]) => !said.has(name)),
  };
}

const roleOf = (message) => (isObject(message) ? String(message.role ?? message.type ?? "?") : "user");

function textOf(message) {
  if (!isObject(message)) return partText(message);
  const { role, type, content, id, status, ...rest } = message;
  const texts = content === undefined || content === null ? []
    : Array.isArray(content) ? content.map(partText) : [partText(content)];
  return [...texts, ...(Object.keys(rest).length > 0 ? [written(rest)] : [])].join("\n");
}

function partText(part) {
  if (typeof part === "string") return part;
  return typeof part?.text === "string" ? part.text : written(part);
}

/** As JSON to read, without the data of pictures and files. */
const written = (value) => JSON.stringify(value, (name, inner) => (
  typeof inner === "string" && /^(data:|[A-Za-z0-9+/]{2000})/.test(inner) && inner.length > 2000
    ? `${inner.slice(0, 40)}… (${inner.length})` : inner), 2) ?? "";

/** What the pieces of a response say: `[{at_ms, text}]`, without those that say nothing. */
function answerOf(pieces) {
  const all = pieces.map(({ text }) => text).join("");
  if (!/^\s*[{[]/.test(all)) return streamed(pieces, new EventParser());
  try {
    const text = saidBy(JSON.parse(all));
    return text === "" ? [] : [{ at_ms: pieces.at(-1).at_ms, text }];
  } catch {
    return streamed(pieces, new LineParser());
  }
}

/** The lines of Ollama's streams, as events. */
class LineParser {
  #rest = "";

  push(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    return lines.map((data) => ({ data }));
  }
}

function streamed(pieces, parser) {
  return pieces.map(({ at_ms: at, text }) => ({ at_ms: at, text: parser.push(text).map(saidInEvent).join("") }))
    .filter(({ text }) => text !== "");
}

function saidInEvent({ data }) {
  try {
    return saidBy(JSON.parse(data));
  } catch {
    // The end mark, or what is cut.
    return "";
  }
}

/** What one document of a response says: text, reasoning and tool calls, in any API. */
function saidBy(document) {
  if (!isObject(document)) return "";
  const { choices, delta, message, content, output, response, error, type } = document;
  if (error !== undefined && error !== null) return typeof error === "string" ? error : written(error);
  if (Array.isArray(choices)) {
    return choices.map((choice) => string(choice?.text) + saidInMessage(choice?.delta ?? choice?.message)).join("");
  }
  if (typeof delta === "string") return delta;
  if (isObject(delta)) return string(delta.text) + string(delta.thinking) + string(delta.partial_json);
  if (type === "content_block_start") return nameOf(document.content_block);
  if (type === "response.output_item.added") return nameOf(document.item);
  // Other events of Responses repeat what their deltas have said.
  if (typeof type === "string" && type.startsWith("response.")) return "";
  if (typeof response === "string") return response;
  if (isObject(message) && message.role !== undefined && type === undefined) return saidInMessage(message);
  return [...list(content), ...list(output).flatMap((item) => item?.content ?? [item])]
    .map((part) => string(part?.text) || nameOf(part)).join("");
}

function saidInMessage(message) {
  if (!isObject(message)) return "";
  const calls = list(message.tool_calls).map(({ function: called } = {}) =>
    nameOf(called) + (isObject(called?.arguments) ? written(called.arguments) : string(called?.arguments)));
  const content = list(message.content).map((part) => string(part?.text)).join("");
  return [string(message.reasoning_content) || string(message.reasoning) || string(message.thinking),
    string(message.content), content, string(message.refusal), ...calls].join("");
}

const nameOf = (call) => (typeof call?.name === "string" ? `\n${call.name} ` : "");
const string = (value) => (typeof value === "string" ? value : "");
return { visible, parsed, promptOf, written, answerOf, saidBy };
})();
const module_inspection_view = (() => {
// The content of a request, if the gateway stores it: prompt, answer with times, and what upstreams were sent.

const { ask } = module_access;
const { copy } = module_clipboard;
const { element, find, plainNodes } = module_dom;
const { events } = module_events;
const { milliseconds, whole } = module_figures;
const { answerOf, parsed, promptOf, saidBy, visible, written } = module_inspected_text;
const { t } = module_words;

/** Ends what the last opened request has begun. */
let work = new AbortController();

/** Shows the content of a request of the list, as soon as it has come. */
async function showInspection(request) {
  hideInspection();
  if (request.inspection === undefined) return;
  const { signal } = work;
  find("inspection").hidden = false;
  find("request").classList.add("inspected");
  try {
    const content = await (await ask(`/v1/admin/requests/${request.inspection}`, { signal })).json();
    const models = await (await ask("/v1/models", { signal })).json();
    const names = models.data.map(({ id }) => id).filter((id) => typeof id === "string");
    if (!signal.aborted) find("inspection").replaceChildren(...sections(content, names));
  } catch (failure) {
    if (!signal.aborted) find("inspection").replaceChildren(element("p", { role: "status" }, failure.message));
  }
}

function hideInspection() {
  work.abort();
  work = new AbortController();
  find("inspection").hidden = true;
  find("inspection").replaceChildren();
  find("request").classList.remove("inspected");
}

function sections(content, models) {
  const request = parsed(content.body.text === undefined ? { text: "", cut: false } : content.body);
  const { messages, tools, parameters } = promptOf(request);
  const pieces = content.response.pieces ?? [];
  const answer = answerOf(pieces);
  return [
    actions(content, request, models),
    section("Prompt", ...note(content.body), ...messages.map(({ role, text }) =>
      element("div", { class: "said" }, element("h4", {}, visible(role)), block(text, role))),
    messages.length === 0 && content.body.text ? block(content.body.text, t("Prompt")) : null),
    tools.length === 0 ? null : section("Tools",
      ...tools.map(({ name, text }) => folded(visible(name), block(text, name)))),
    parameters.length === 0 ? null : section("Parameters", element("dl", { class: "facts" }, ...parameters.map(
      ([name, value]) => element("div", {}, element("dt", {}, visible(name)),
        element("dd", {}, visible(typeof value === "string" ? value : written(value))))))),
    section("Answer", ...note(content.response), content.error ? block(content.error, t("Error")) : null,
      answer.length > 0 ? block(answer.map(({ text }) => text).join(""), t("Answer")) : null,
      answer.length > 1 ? folded(t("As it streamed"), streamed(answer)) : null,
      pieces.length === 0 ? null : folded(t("As it was sent"),
        block(pieces.map(({ text }) => text).join(""), t("As it was sent")))),
    content.attempts.length === 0 ? null : section("Sent upstream", ...content.attempts.map(attemptView)),
  ].filter((node) => node !== null);
}

function section(title, ...children) {
  return element("section", { "aria-label": t(title) }, element("h3", {}, t(title)), ...children);
}

/** Text of others, as a text to read and to scroll with the keyboard. */
function block(text, label) {
  return element("pre", { tabindex: 0, role: "group", "aria-label": visible(label) }, ...plainNodes(visible(text)));
}

const folded = (title, ...children) => element("details", {}, element("summary", {}, title), ...children);

function note({ size, cut, text, pieces }) {
  if (size === 0) return [];
  if (text === undefined && pieces === undefined) {
    return [element("p", { class: "faint" }, t("It is not text: {all} bytes.", { all: whole(size) }))];
  }
  if (!cut) return [];
  return [element("p", { class: "faint" }, t("Only the beginning of {all} bytes is stored.", { all: whole(size) }))];
}

/** Each part with the time since the start of the request. */
function streamed(answer) {
  return element("ol", { class: "pieces", tabindex: 0, "aria-label": t("As it streamed") }, ...answer.map(
    ({ at_ms: at, text }) => element("li", {}, element("span", { class: "number" }, milliseconds(at)),
      element("span", {}, ...plainNodes(visible(text))))));
}

function attemptView(attempt) {
  const { upstream, place, started_ms: start, responded_ms: end, status, error, headers, body, response } = attempt;
  const took = end === undefined ? t("in progress") : milliseconds(end - start);
  const title = [upstream, status ?? error, took].filter((fact) => fact !== undefined).join(", ");
  const fields = headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  const sent = body?.text === undefined ? null : body.cut ? body.text : written(parsed(body) ?? body.text);
  return folded(visible(title), block(`${place}\n${fields}`, t("Headers")), ...(body ? note(body) : []),
    sent === null ? null : block(sent, t("Body")),
    response?.text === undefined ? null : element("h4", {}, t("Error")),
    response?.text === undefined ? null : block(response.text, t("Error")));
}

// What can be done with a request: only with a whole one.

function actions(content, request, models) {
  if (content.body.text === undefined || content.body.cut || request === null) return null;
  const command = curl(content);
  const shown = block(command, "curl");
  const folder = folded(t("The command"), shown);
  const button = element("button", { type: "button", click: () => copy(command, button, () => {
    folder.open = true;
    return shown;
  }) }, t("Copy as curl"));
  const choice = element("select", { "aria-label": t("Model of the replay") },
    ...models.map((name) => element("option", { value: name, selected: name === request.model }, visible(name))));
  const place = element("div", { "aria-live": "polite" });
  const again = element("button", { type: "button",
    click: () => replay(content, { ...request, model: choice.value }, place, again) }, t("Replay"));
  return element("div", { class: "actions" }, button, choice, again,
    element("span", { class: "faint" }, t("A replay is a new request, with this page's key.")), folder, place);
}

const passedOn = ["anthropic-version", "anthropic-beta", "openai-beta"];
const quoted = (text) => `'${visible(text).replaceAll("'", "'\\''")}'`;

/** For a shell; the key is read from its environment. */
function curl({ path, headers, body }) {
  const fields = headers.filter(({ name, value }) => passedOn.includes(name) && !value.includes("***"));
  return [`curl -N ${quoted(location.origin + path)}`, '-H "Authorization: Bearer $HEADGATE_KEY"',
    "-H 'Content-Type: application/json'", ...fields.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(body.text)}`].join(" \\\n  ");
}

async function replay({ path, headers }, request, place, button) {
  const { signal } = work;
  const answer = element("pre", { tabindex: 0, role: "group", "aria-label": t("Replay") });
  place.replaceChildren(element("h3", {}, t("Replay with {model}", { model: visible(request.model) })), answer);
  button.disabled = true;
  try {
    const fields = headers.filter(({ name }) => passedOn.includes(name)).map(({ name, value }) => [name, value]);
    const response = await ask(path, { method: "POST", body: JSON.stringify(request), signal,
      headers: { ...Object.fromEntries(fields), "Content-Type": "application/json" } });
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) {
      for await (const { data } of events(response.body)) {
        if (data !== "[DONE]") answer.append(...plainNodes(visible(saidBy(JSON.parse(data)))));
      }
    } else {
      const pieces = [{ at_ms: 0, text: await response.text() }];
      answer.append(...plainNodes(visible(answerOf(pieces).map(({ text }) => text).join(""))));
    }
  } catch (failure) {
    if (!signal.aborted) place.append(element("p", { class: "wrong", role: "alert" }, failure.message));
  }
  button.disabled = false;
}
return { showInspection, hideInspection };
})();
const module_request_view = (() => {
// One request with all that is known of it: facts, attempts, and its content if that is stored. It stays as it was when
// it was opened.

const { element, find } = module_dom;
const { dollars, milliseconds, whole } = module_figures;
const { hideInspection, showInspection } = module_inspection_view;
const { showRows } = module_rows;
const { errorOf, outcomeOf } = module_terms;
const { locale, t } = module_words;

function showRequest(request) {
  const facts = Object.entries(named(request)).filter(([, value]) => value !== undefined);
  find("request-facts").replaceChildren(...facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, t(name)), element("dd", {}, String(value)))));
  const attempts = request.attempts ?? [];
  showRows(find("attempts"), attempts.map((attempt, index) => ({ key: `${index}`, cells: [
    { text: attempt.upstream + keyOf(attempt) },
    { text: attempt.model ?? "" },
    { text: error(attempt.error) ?? t("response"),
      style: attempt.error ? "mark bad" : "mark good" },
    { text: milliseconds(attempt.duration_ms), style: "number" }] })));
  find("attempts-section").hidden = attempts.length === 0;
  find("request").showModal();
  showInspection(request);
}

function named(request) {
  return {
    "Request id": request.id, "Trace id": request.trace_id,
    Ended: new Date(request.ended_at).toLocaleString(locale, { hour12: false }),
    Operation: request.operation, Outcome: outcomeOf(request.outcome), Status: request.status,
    Error: error(request.error), Detail: request.detail, Model: request.model, Key: request.key,
    Upstream: request.upstream, "Upstream's status": request.upstream_status, "Finish reason": request.finish_reason,
    "First content": request.ttft_ms === undefined ? undefined : milliseconds(request.ttft_ms),
    Duration: milliseconds(request.duration_ms),
    "Prompt tokens": count(request.prompt_tokens), "Completion tokens": count(request.completion_tokens),
    "Token source": request.token_source, "Cached tokens": count(request.cached_tokens),
    Cost: cost(request.cost_usd), Cache: request.cache,
    "After the client left": request.after_leaving, Hedge: request.hedge,
    "Injected fault": request.fault,
  };
}

const keyOf = ({ key_number: number }) => (number === undefined ? "" : t(", key {number}", { number }));

const count = (value) => (value === undefined ? undefined : whole(value));

/** In words, with the code by which logs and documents know it. */
const error = (code) => (code === undefined || errorOf(code) === code ? code : `${errorOf(code)} (${code})`);

/** Null for what is not known. */
const cost = (value) => (value === null ? t("unknown") : value === undefined ? undefined : dollars(value));

find("request-close").addEventListener("click", () => find("request").close());
find("request").addEventListener("close", hideInspection);
return { showRequest };
})();
const module_status_view = (() => {
// The gateway's state: health and budgets as lists, requests and upstreams as tables.

const { showCharts } = module_charts;
const { element, find } = module_dom;
const { ago, clock, dollars, milliseconds, span, whole } = module_figures;
const { filtered, isFiltered } = module_filters;
const { showRequest } = module_request_view;
const { setText, showItems, showRows } = module_rows;
const { errorOf, outcomeOf } = module_terms;
const { locale, t } = module_words;

/** Requests that are shown before the reader wants all. */
const first = 25;
let showsAll = false;

function showStatus(status) {
  showFigures(find("figures"), figures(status));
  showItems(find("health"), status.upstreams.map(healthItem));
  showRows(find("upstreams-rows"), status.upstreams.map(upstreamRow));
  showRows(find("models"), status.models.flatMap(({ name, targets }) =>
    targets.map((target) => targetRow(name, target))));
  find("models-section").hidden = status.models.length === 0;
  showItems(find("budgets"), status.budgets.map(budgetItem));
  find("budgets-section").hidden = status.budgets.length === 0;
  showRequests(filtered(status.recent));
  showCharts(find("charts"), status);
  find("shown").classList.toggle("old", false);
  find("shown").hidden = false;
}

function showRequests(requests) {
  showRows(find("recent"), (showsAll ? requests : requests.slice(0, first)).map(requestRow));
  find("more-requests").hidden = showsAll || requests.length <= first;
  setText(find("more-requests"), t("Show all {count}", { count: whole(requests.length) }));
  find("no-requests").hidden = requests.length > 0;
  setText(find("no-requests"),
    isFiltered() ? t("None of the last requests is like that.") : t("No request has gone to an upstream yet."));
}

/** Calls back when the reader wants to see all requests. */
function onMore(changed) {
  find("more-requests").addEventListener("click", () => {
    showsAll = true;
    changed();
  });
}

function showFigures(list, named) {
  for (const [index, [name, value]] of named.entries()) {
    const shown = list.children[index]
      ?? list.appendChild(element("div", {}, element("dt", {}, t(name)), element("dd")));
    setText(shown.lastChild, value);
  }
}

function figures(status) {
  const { totals } = status;
  const failed = totals.upstream_failed + totals.timed_out;
  return [
    ["Requests in flight", whole(status.requests_in_flight)],
    ["Streams in flight", whole(status.streams_in_flight)],
    ["Finished", whole(totals.finished)],
    ["Failed", whole(failed)],
    ["Refused", whole(totals.refused)],
    ["Cancelled", whole(totals.client_gone)],
    ["Tokens", t("{prompt} in, {completion} out",
      { prompt: whole(totals.prompt_tokens), completion: whole(totals.completion_tokens) })],
    ["Up", span(status.uptime_seconds) + (status.is_draining ? t(", shutting down") : "")],
    ["Version", status.version],
    ...cached(totals),
  ];
}

/** Nothing where no model has a cache. */
function cached({ cache_hits: hits, cache_misses: misses }) {
  return hits + misses === 0 ? []
    : [["From the cache", t("{hits} of {all}", { hits: whole(hits), all: whole(hits + misses) })]];
}

function healthItem(upstream) {
  const [word, state] = reach(upstream);
  return { key: upstream.name, parts: [{ text: upstream.name, style: `name mark ${state}` },
    { text: word + resting(upstream), style: state }, { text: lastError(upstream.last_error), style: "detail" }] };
}

function upstreamRow(upstream) {
  const [word, state] = reach(upstream);
  return { key: upstream.name, cells: [words(upstream.name), words(upstream.kind),
    mark(word + resting(upstream) + running(upstream), state), number(load(upstream)),
    number(whole(upstream.streams_in_flight)), words(notes(upstream).join(" · ") || t("none"))] };
}

/** The state of the program that the gateway runs for it. */
function running({ program }) {
  if (!program) return "";
  const state = t({ stopped: "program stopped", starting: "program starting", ready: "program ready",
    stopping: "program stopping", failed: "program failed" }[program.state] ?? program.state);
  if (program.waiting === 0) return `, ${state}`;
  return `, ${t("{held}, {waiting} waiting", { held: state, waiting: whole(program.waiting) })}`;
}

/** Its last error, and the last lines of its program. */
function notes({ last_error: error, program }) {
  return [lastError(error), ...(program?.output ?? []).slice(-3)].filter((text) => text !== "");
}

function resting({ keys: { count, resting } }) {
  return resting > 0 ? t(", {resting} of {count} keys resting", { resting, count }) : "";
}

/** In words, with what the system said about it. */
function lastError(error) {
  if (!error) return "";
  const what = errorOf(error.code) + (error.detail ? `: ${error.detail}` : "");
  return Number.isNaN(Date.parse(error.at)) ? `${error.at} ${what}` : `${ago(error.at)}: ${what}`;
}

function reach(upstream) {
  if (upstream.offline) return [t("offline"), "bad"];
  if (upstream.healthy === false) return [t("fails its checks"), "bad"];
  if (upstream.reachable === null) {
    return upstream.healthy ? [t("passes its checks"), "good"] : [t("no request yet"), "unknown"];
  }
  return upstream.reachable ? [t("answers"), "good"] : [t("unreachable"), "bad"];
}

function load({ requests_in_flight: inFlight, in_flight_limit: limit, waiting }) {
  if (limit === undefined) return whole(inFlight);
  const held = t("{hits} of {all}", { hits: whole(inFlight), all: whole(limit) });
  return waiting > 0 ? t("{held}, {waiting} waiting", { held, waiting: whole(waiting) }) : held;
}

function targetRow(name, target) {
  const [word, state] = health(target);
  const { ttft_ms: first } = target;
  return { key: `${name} ${target.upstream} ${target.model ?? ""}`, cells: [words(name), words(target.upstream),
    words(target.model ?? ""), mark(word, state), number(whole(target.weight)),
    number(whole(target.requests_in_flight)), number(first === undefined ? "" : milliseconds(first))] };
}

function health({ breaker, open_until: until, usable }) {
  if (breaker === "open") return [t("breaker open until {time}", { time: clock(until) }), "bad"];
  if (!usable) return [t("left alone"), "warn"];
  return breaker === "half_open" ? [t("tried again"), "warn"] : [t("usable"), "good"];
}

function budgetItem({ kind, name, unit, every, amount, used, until }) {
  const whose = name === undefined ? t("all requests") : `${t(kind)} ${name}`;
  const left = used === undefined ? t("not known yet")
    : t("{left} left of {all}", { left: written(Math.max(0, amount - used), unit), all: written(amount, unit) });
  const state = used === undefined ? "" : used >= amount ? "bad" : used >= 0.8 * amount ? "warn" : "good";
  const end = Number.isNaN(Date.parse(until)) ? until
    : new Date(until).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return { key: whose, parts: [{ text: whose, style: "name" },
    { text: `${left}${t(periods.get(every) ?? "")}`, style: `mark ${state}` },
    { text: t("until {time}", { time: end }), style: "detail" }], meter: used === undefined ? 0 : used / amount };
}

const written = (value, unit) => (unit === "usd" ? dollars(value) : t("{count} tokens", { count: whole(value) }));
const periods = new Map([["hour", " this hour"], ["day", " today"], ["week", " this week"], ["month", " this month"]]);

function requestRow(request) {
  const state = { finished: "good", upstream_failed: "bad", timed_out: "bad" }[request.outcome] ?? "warn";
  const word = outcomeOf(request.outcome) + (request.error ? ` (${errorOf(request.error)})` : "");
  const { ttft_ms: first, prompt_tokens: prompt, completion_tokens: completion, cost_usd: cost } = request;
  const time = clock(request.ended_at);
  const operation = request.operation + (request.stream ? ", stream" : "");
  const label = [time, operation, request.model, word].filter(Boolean).join(", ");
  return { key: `${request.id} ${request.ended_at}`, title: `x-request-id: ${request.id}`, cells: [
    { ...number(time), act: () => showRequest(request), label }, mark(word, state),
    words(request.model ?? ""), words(place(request)), words(request.key ?? ""),
    number(completion === undefined ? "" : `${prompt === undefined ? "?" : whole(prompt)} + ${whole(completion)}`),
    number(cost === undefined ? "" : cost === null ? t("unknown") : dollars(cost)),
    number(first === undefined ? "" : milliseconds(first)), number(milliseconds(request.duration_ms))] };
}

function place({ upstream = "", attempts = [], cache }) {
  if (cache === "hit") return t("cache");
  return attempts.length < 2 ? upstream : t("{upstream} ({count} attempts)", { upstream, count: attempts.length });
}

const words = (text) => ({ text, style: "name" });
const number = (text) => ({ text, style: "number" });
/** Told by its word; the colour only repeats it. */
const mark = (text, state) => ({ text, style: `mark ${state}` });
return { showStatus, onMore };
})();
const module_views = (() => {
// The views of the status page. The address names the one that is shown, as in `/status#keys`.

const { find } = module_dom;
const { t } = module_words;

/** By their names in the address, with the page's heading there. */
const views = new Map([["requests", "Status"], ["usage", "Usage"], ["keys", "Keys"], ["upstreams", "Upstreams"]]);

function shownView() {
  const name = location.hash.slice(1);
  return views.has(name) ? name : "requests";
}

function showView() {
  const shown = shownView();
  for (const name of views.keys()) {
    find(`${name}-view`).hidden = name !== shown;
    const tab = document.querySelector(`.tabs a[href="#${name}"]`);
    if (name === shown) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  find("title").textContent = t(views.get(shown));
}
return { shownView, showView };
})();
const module_status = (() => {
// The status page: queries the data again and again, and shows what comes.

const { ask, demandKey, onKey } = module_access;
const { find } = module_dom;
const { onFilter } = module_filters;
const { showKeys } = module_keys_view;
const { showMoney } = module_money_view;
const { startPage } = module_rail;
const { onMore, showStatus } = module_status_view;
const { shownView, showView } = module_views;
const { t } = module_words;

/** Between two queries, in milliseconds. */
const interval = 1000;

let isPaused = false;
/** For the next query; null while one is under way, or none is wanted. */
let timer = null;
/** What came last. */
let status = null;

async function refresh() {
  clearTimeout(timer);
  timer = null;
  try {
    status = await (await ask("/status/data")).json();
    showStatus(status);
    notice("");
    // What another view shows is not queried.
    if (["requests", "usage"].includes(shownView())) showMoney();
    if (shownView() === "keys") showKeys();
  } catch (failure) {
    find("shown").classList.toggle("old", true);
    if (failure.status === 403) demandKey(failure.message);
    else if (failure.status !== 401) notice(failure.message);
    // Without the right key there is nothing to ask for.
    if (failure.status === 401 || failure.status === 403) return;
  }
  later();
}

function later() {
  if (!isPaused && !document.hidden) timer = setTimeout(refresh, interval);
}

function notice(text) {
  find("notice").textContent = text;
  find("notice").hidden = text === "";
}

find("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  find("pause").textContent = t(isPaused ? "Resume" : "Pause");
  find("pause").setAttribute("aria-pressed", isPaused);
  if (isPaused) clearTimeout(timer);
  else refresh();
});

// Nobody looks at a hidden page.
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && !isPaused && find("key-form").hidden) refresh();
});

const showAgain = () => {
  if (status !== null) showStatus(status);
};

addEventListener("hashchange", () => {
  showView();
  if (find("key-form").hidden) refresh();
});
startPage();
showView();
onFilter(showAgain);
onMore(showAgain);
onKey(refresh);
refresh();
return {  };
})();
});

"""#),
        "theme.js": WebAsset(type: script, digest: "dd10986abe46e96ebe3a86952351d33b", text: #"""
// Light or dark: as the system has it until the reader chooses. Runs before the page is painted, so it is no module.
"use strict";

(() => {
  const place = "headgate.theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem(place);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(place, theme);
    } catch {
      // It holds for this page, then.
    }
  };

  if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();
  const shown = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
  // Swagger UI, on the page of the routes, knows the theme by a class; so do the two faces of the button.
  const mark = () => root.classList.toggle("dark-mode", shown() === "dark");
  mark();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      mark();
    });
    system.addEventListener("change", mark);
  });
})();

"""#),
    ]
}
