/* Tokens of VCL 4.0, 4.1 and 5.0. In files of 4.x, syntax/tokens.py turns those of 5.0 alone into names or UNKNOWN.
 *
 * Input is one code point per byte (Latin-1), so any bytes can be lexed and offsets are byte offsets. No input is a lexer
 * error: what is no token becomes UNKNOWN, and a string or comment that is never closed runs to the end of its line or
 * file; syntax/text.py reports it afterwards.
 *
 * There is one identifier token and no reserved word. The word tokens below have no pattern: after lexing and include
 * splicing, syntax/tokens.py gives a word its own type where its position makes it one (the head of a declaration or
 * of a statement), and everywhere else `acl in`, `backend table` or `var.set()` stay plain names.
 */
lexer grammar VclLexer;

tokens {
    VCL, BACKEND, PROBE, ACL, SUB, IMPORT, UNUSED, SET, UNSET, CALL, RETURN, IF, NEW,
    PROCEDURE, TEXT_SET, CONST, PARAM, FN, TABLE, COUNTER, BUDGET, CACHING, LET, SWITCH, CASE, FOR, COUNT, LOG, ALLOW, BUILTIN, INVARIANT, GIVE,
    ELSE, ELSEIF, FROM, AS, NONE, INCLUDE, TEST, MUT, BY, COLUMNS, DEFAULT, IN, STARTS, ENDS, CONTAINS, IS, IS_NOT
}

IDENTIFIER : [A-Za-z] [A-Za-z0-9_-]* ;
NUMBER     : [0-9]+ ( '.' [0-9]* )? ;

STRING          : '"' ~["\r\n]* '"' ;
UNCLOSED_STRING : '"' ~["\r\n]* ;
LONG_STRING     : '{"' .*? ( '"}' | EOF ) ;
TRIPLE_STRING   : '"""' .*? ( '"""' | EOF ) ;
BLOB            : ':' [A-Za-z0-9+/=]* ':' ;
INLINE_C        : 'C{' .*? ( '}C' | EOF ) ;

LBRACE   : '{' ;
RBRACE   : '}' ;
LPAREN   : '(' ;
RPAREN   : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
SEMI     : ';' ;
COMMA    : ',' ;
DOT      : '.' ;
COLON    : ':' ;
QUESTION : '?' ;
AT       : '@' ;
ARROW    : '->' ;
MAPS_TO  : '=>' ;

ASSIGN     : '=' ;
ADD_ASSIGN : '+=' ;
SUB_ASSIGN : '-=' ;
MUL_ASSIGN : '*=' ;
DIV_ASSIGN : '/=' ;

EQ       : '==' ;
NE       : '!=' ;
LT       : '<' ;
LE       : '<=' ;
GT       : '>' ;
GE       : '>=' ;
MATCH    : '~' ;
NO_MATCH : '!~' ;
NOT      : '!' ;
COALESCE : '??' ;
AND      : '&&' ;
OR       : '||' ;
PLUS     : '+' ;
MINUS    : '-' ;
STAR     : '*' ;
SLASH    : '/' ;
PERCENT  : '%' ;

// No operators of VCL, but tokens of it: `5s --3s` is not `5s - -3s`.
DOUBLE_PLUS  : '++' ;
DOUBLE_MINUS : '--' ;

LINE_COMMENT  : ( '#' | '//' ) ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? ( '*/' | EOF ) -> channel(HIDDEN) ;
SPACE         : [ \t\r\n\u000B\u000C]+ -> skip ;

UNKNOWN : . ;
