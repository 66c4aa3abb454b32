% Grounds a game by tabling (Vittaut and Mehat 2014). Written by groundfrog for SWI-Prolog 9.
%   swipl -q FILE            counts and CPU times, one a line
%   swipl -q FILE -- rules   the ground rules, sorted, one a line, as in
%                            groundfrog ground --flat --format canonical
:- encoding(utf8).
:- style_check(-singleton).
:- style_check(-discontiguous).
:- set_prolog_flag(table_space, 0x100000000).
:- set_prolog_flag(stack_limit, 0x100000000).
:- initialization(main, main).

main :-
    set_stream(user_output, encoding(utf8)),
    statistics(cputime, Start),
    findall(x, p_base(_), Base),
    findall(x, p_input(_, _), Input),
    statistics(cputime, Middle),
    trie_new(Store),
    ground_rules(Store),
    statistics(cputime, End),
    current_prolog_flag(argv, Arguments),
    (   memberchk(rules, Arguments)
    ->  write_rules(Store)
    ;   length(Base, BaseCount),
        length(Input, InputCount),
        ( trie_property(Store, value_count(Stored)) -> true ; Stored = 0 ),
        BaseInput is (Middle - Start) * 1000,
        Ground is (End - Middle) * 1000,
        format("base ~d~ninput ~d~nstored ~d~nbase_input_ms ~3f~nground_ms ~3f~n",
               [BaseCount, InputCount, Stored, BaseInput, Ground])
    ).

% Ground rules as lines: two rules may have the same instance.
write_rules(Store) :-
    findall(Line, (trie_gen(Store, Instance), stored_rule(Instance, Head, Body), line(Head, Body, Line)), Lines),
    sort(Lines, Sorted),
    forall(member(Line, Sorted), (write(Line), nl)).

line(Head, [], Line) :- !, text(Head, Line).
line(Head, Body, Line) :-
    text(Head, HeadText),
    findall(Text, (member(Literal, Body), text(Literal, Text)), Texts),
    sort(Texts, Sorted),
    atomic_list_concat(['(<=', HeadText|Sorted], ' ', Open),
    atom_concat(Open, ')', Line).

text(Term, Term) :- atom(Term), !.
text(Term, Text) :-
    compound_name_arguments(Term, Name, Arguments),
    ( Name == '()' -> Parts = Arguments ; Parts = [Name|Arguments] ),
    findall(PartText, (member(Part, Parts), text(Part, PartText)), Texts),
    atomic_list_concat(Texts, ' ', Inner),
    atomic_list_concat(['(', Inner, ')'], Text).

