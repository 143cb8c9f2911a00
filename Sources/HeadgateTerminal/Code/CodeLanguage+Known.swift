extension CodeLanguage {
    private static let strings: [Span] = [.string("\""), .string("'")]
    private static let likeC: [Span] = [.lineComment("//"), .comment("/*", "*/")]
    private static let hash: [Span] = [.lineComment("#")]

    /// Returns the language of a code fence.
    ///
    /// - Parameter name: Name in lower case.
    /// - Returns: Nil if the language is unknown.
    static func named(_ name: String) -> CodeLanguage? {
        switch name {
        case "swift": swift
        case "python", "py", "python3": python
        case "javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx": script
        case "java", "kotlin", "kt", "scala", "groovy", "csharp", "cs", "c#", "dart": managed
        case "c", "h", "cpp", "c++", "cc", "cxx", "hpp", "objective-c", "objc": native
        case "go", "golang": go
        case "rust", "rs": rust
        case "ruby", "rb", "elixir", "ex", "crystal": ruby
        case "php", "perl", "pl": php
        case "bash", "sh", "shell", "zsh", "console", "shell-session", "fish", "dockerfile", "makefile", "make": shell
        case "sql", "mysql", "postgresql", "sqlite", "postgres": sql
        case "json", "jsonc", "json5": json
        case "yaml", "yml", "toml", "ini", "conf", "properties": settings
        case "html", "xml", "svg", "vue", "svelte": markup
        case "css", "scss", "less": styles
        case "lua": lua
        case "haskell", "hs": haskell
        case "diff", "patch": difference
        default: nil
        }
    }

    private static let swift = CodeLanguage(
        """
        actor any as associatedtype async await borrowing break case catch class consuming continue default defer \
        deinit do dynamic else enum extension fallthrough false fileprivate final for func get guard if import in \
        indirect infix init inout internal is lazy let mutating nil nonisolated open operator override package \
        precedencegroup private protocol public repeat rethrows return self Self set some static struct subscript \
        super switch throw throws true try typealias unowned var weak where while
        """, likeC, [.string("\"\"\"", isOfSeveralLines: true), .string("\"")])

    private static let python = CodeLanguage(
        """
        and as assert async await break case class continue def del elif else except False finally for from global \
        if import in is lambda match None nonlocal not or pass raise return self True try while with yield
        """,
        hash, [.string("\"\"\"", isOfSeveralLines: true), .string("'''", isOfSeveralLines: true)], strings)

    private static let script = CodeLanguage(
        """
        abstract any as async await boolean break case catch class const continue debugger declare default delete do \
        else enum export extends false finally for from function get if implements import in instanceof interface \
        keyof let namespace never new null number of private protected public readonly return satisfies set static \
        string super switch this throw true try type typeof undefined unknown var void while with yield
        """, likeC, strings, [.string("`", isOfSeveralLines: true)])

    private static let managed = CodeLanguage(
        """
        abstract as async await base bool boolean break by byte case catch char class companion const constructor \
        continue data def default delegate do double else enum extends false final finally float for foreach fun get \
        if implements implicit import in init inline int interface internal is lateinit let long namespace native new \
        null object open operator out override package params private protected public readonly record ref return \
        sealed set short static string struct super suspend switch synchronized this throw throws trait transient true \
        try typealias using val var virtual void volatile when where while with yield
        """, likeC, [.string("\"\"\"", isOfSeveralLines: true)], strings)

    private static let native = CodeLanguage(
        """
        alignas alignof asm auto bool break case catch char class const consteval constexpr continue decltype default \
        define delete do double else endif enum explicit extern false final float for friend goto if ifdef ifndef \
        include inline int long mutable namespace new noexcept nullptr NULL operator override pragma private protected \
        public register restrict return short signed sizeof size_t static static_cast struct switch template this \
        throw true try typedef typename union unsigned using virtual void volatile while
        """, likeC, strings)

    private static let go = CodeLanguage(
        """
        any bool break byte case chan const continue default defer else error fallthrough false float64 for func go \
        goto if import int int64 interface iota map nil package range return rune select string struct switch true \
        type uint var
        """, likeC, strings, [.string("`", escape: nil, isOfSeveralLines: true)])

    /// Apostrophes are not strings here, because most of them are lifetimes.
    private static let rust = CodeLanguage(
        """
        as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl \
        in let loop match mod move mut pub ref return self Self static str struct super trait true type u8 u32 u64 \
        union unsafe use usize where while
        """, likeC, [.string("\"", isOfSeveralLines: true)])

    private static let ruby = CodeLanguage(
        """
        alias and begin break case class def defmodule defp do else elsif end ensure false fn for if in module new \
        next nil not or private protected public raise redo rescue retry return self super then true undef unless \
        until use when while yield
        """, hash, strings)

    private static let php = CodeLanguage(
        """
        abstract and array as break case catch class clone const continue declare default do echo else elseif extends \
        false final finally fn for foreach function global if implements instanceof interface local match my namespace \
        new null or our package print private protected public readonly require return static sub switch this throw \
        trait true try unless use var while yield
        """, likeC, [.lineComment("#", needsSpace: true)], strings)

    private static let shell = CodeLanguage(
        """
        alias case cd do done echo elif else esac eval exec exit export fi for function if in local read readonly \
        return set shift source sudo then trap unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM RUN USER \
        WORKDIR
        """, [.lineComment("#", needsSpace: true), .string("\""), .string("'", escape: nil)])

    private static let sql: CodeLanguage = {
        var language = CodeLanguage(
            """
            add all alter and as asc begin between by case cast check commit constraint create cross default delete \
            desc distinct drop else end except exists false foreign from full group having if in index inner insert \
            intersect into is join key left like limit not null offset on or order outer over partition primary \
            references returning right rollback select set table then transaction true union unique update using \
            values view when where with
            """, [.lineComment("--"), .comment("/*", "*/"), .string("'", escape: nil), .string("\"", escape: nil)])
        language.ignoresCase = true
        return language
    }()

    private static let json = CodeLanguage("true false null", likeC, strings)
    private static let settings = CodeLanguage(
        "true false null yes no on off", [.lineComment("#", needsSpace: true)], strings)
    private static let markup = CodeLanguage("", [.comment("<!--", "-->"), .tag])
    private static let styles: CodeLanguage = {
        var language = CodeLanguage(
            "important media import from to and not only keyframes supports include mixin auto none inherit",
            likeC, strings)
        language.wordCharacters = ["-"]
        return language
    }()

    private static let lua = CodeLanguage(
        """
        and break do else elseif end false for function goto if in local nil not or repeat return self then true until \
        while
        """, [.comment("--[[", "]]"), .lineComment("--")], strings)

    private static let haskell = CodeLanguage(
        "case class data deriving do else foreign if import in infix instance let module newtype of then type where",
        [.lineComment("--"), .comment("{-", "-}"), .string("\"")])

    private static let difference: CodeLanguage = {
        var language = CodeLanguage("")
        language.isDifference = true
        return language
    }()
}
