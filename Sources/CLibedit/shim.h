// libedit as Swift sees it: its functions as they are, and typed functions for what it offers through variable
// arguments.
#pragma once
#include <histedit.h>
#include <stdbool.h>
#include <string.h>

typedef char *(*headgate_edit_prompt)(EditLine *);
typedef unsigned char (*headgate_edit_function)(EditLine *, int);
typedef int (*headgate_edit_reader)(EditLine *, wchar_t *);

/// An editor on the process's standard input and output; NULL where it cannot work.
static inline EditLine *headgate_edit_init(const char *program) { return el_init(program, stdin, stdout, stderr); }

static inline void headgate_edit_set_context(EditLine *line, void *context) { el_set(line, EL_CLIENTDATA, context); }

static inline void *headgate_edit_context(EditLine *line) {
    void *context = NULL;
    el_get(line, EL_CLIENTDATA, &context);
    return context;
}

/// Between two `mark` characters stands what takes no room on the screen.
static inline void headgate_edit_set_prompt(EditLine *line, headgate_edit_prompt prompt, char mark) {
    el_set(line, EL_PROMPT_ESC, prompt, mark);
}

/// Where characters come from: 1 with a character, 0 at the end, -1 on an error.
static inline void headgate_edit_set_reader(EditLine *line, headgate_edit_reader reader) {
    el_wset(line, EL_GETCFN, reader);
}

/// The key bindings of Emacs, whatever EDITOR says.
static inline void headgate_edit_use_emacs(EditLine *line) { el_set(line, EL_EDITOR, "emacs"); }

/// Whether the key bindings are those of vi, in which the Escape key alone means something.
static inline bool headgate_edit_is_vi(EditLine *line) {
    const char *editor = NULL;
    return el_get(line, EL_EDITOR, &editor) == 0 && editor != NULL && strcmp(editor, "vi") == 0;
}

/// Makes a function known by a name, to which keys can be bound. libedit keeps the pointer to the name. (Of a name in
/// narrow characters it would keep a copy, which it never frees.)
static inline void headgate_edit_add_function(
    EditLine *line, const wchar_t *name, headgate_edit_function function) {
    el_wset(line, EL_ADDFN, name, name, function);
}

/// Makes a key call a function by its name, one of libedit's own or an added one. `key` is as in editrc(5).
static inline void headgate_edit_bind(EditLine *line, const char *key, const char *name) {
    el_set(line, EL_BIND, key, name, NULL);
}

/// While a line is edited, Ctrl-C and its like come as characters and send no signals.
static inline void headgate_edit_disable_signals(EditLine *line) { el_set(line, EL_SETTY, "-d", "-isig", NULL); }

/// Puts the terminal into the editor's mode, or back into its own.
static inline void headgate_edit_prepare_terminal(EditLine *line, int editing) { el_set(line, EL_PREP_TERM, editing); }

static inline void headgate_edit_refresh(EditLine *line) { el_set(line, EL_REFRESH); }

/// Lets the arrow keys walk through the history.
static inline void headgate_edit_use_history(EditLine *line, History *entries) {
    el_set(line, EL_HIST, history, entries);
}

static inline void headgate_history_set_size(History *entries, int size) {
    HistEvent event;
    history(entries, &event, H_SETSIZE, size);
    history(entries, &event, H_SETUNIQUE, 1);
}

static inline void headgate_history_add(History *entries, const char *text) {
    HistEvent event;
    history(entries, &event, H_ENTER, text);
}
